import { describe, expect, it } from 'vitest';
import { REDACTED } from './redacted.js';
import { createTextRedactor } from './text-redactor.js';

/** A search that is not linear takes minutes for these; a linear one takes a moment for each. */
const LENGTH = 300_000;
const UNITS =
  `a - = : @ / " ' \\ \\" ( ) [ ] { } & ; , < > ? . _ eyJ eyJ. -eyJ eyJ- :// ://a: ://a:b/ ://a@ password password=
  password=" password=' password=\\" password=& password=; token: token:: "token": --token --token- <token> <token>a
  Authorization: authorization Bearer basic Cookie: Cookie:a= ?sig= &x-sig= sk- sk-a -sk-a SG. SG.aaaaaaaaaaaaaaaaaa AKIA
  xoxb- npm_ ghp_ github_pat_ curl-u ;pwd= a:b@tcp( a: login identified -----BEGIN -----END hooks.slack.com/services/
  mysql mysql·-p mysql·a ·-p docker·login·a docker·login·-p redis-cli·a sshpass·-p ;password= ;password=a· jdbc:oracle:thin:a/
  discord.com/api/webhooks/1/ api.telegram.org/bot1: webhook.office.com/webhookb2/
  -----BEGIN_PRIVATE_KEY----- -----END_PRIVATE_KEY----- A-----END_PRIVATE_KEY----- gsk_ gsk_a dapi0 dp.pt. dp.pt.a- dp.pt.a.a NRAK- glc_eyJ aaa8Q~ 8Q~ JQQJ9 +ASt postgres://a:· redis://:a· password=a& pass= pwd: pass=/ pwd=.
  password=[" password:['a' password=["a"] password=a( [password]=> \\\\\\" \\\\\\"password\\\\\\":\\\\\\" \u001bP \u001b( \u001b(B
  \u001b[3 \u001b[3m \u001b]a \\u001b[3m [redacted] password=[redacted] \${`.split(/\s+/);

describe('looking for secrets', () => {
  it.each(UNITS)('ends soon for a long text of %s', (unit) => {
    const redact = createTextRedactor(['aaaaaaaa-1', 'hunter-22']);
    const text = unit.replaceAll('_PRIVATE_KEY', ' PRIVATE KEY').replaceAll('·', ' ');
    for (const joint of ['', '\n']) {
      // A word at each end makes sure that every shape looks at it.
      const long = redact(
        `password=abc @ ${`${text}${joint}`.repeat(LENGTH / (text.length + joint.length))} token`,
      );
      expect(long).toContain(REDACTED);
    }
  });
});
