import {
  type CheckContext,
  type CheckOutcome,
  counted,
  defineChecker,
  formatDuration,
  type Redactor,
} from '@argusai/core';
import {
  certificateExpiring,
  certificateInvalid,
  dnsResolutionFailed,
  httpUnexpected,
  latencyHigh,
  networkUnreachable,
} from '../error-codes.js';
import type { HttpTarget } from '../options.js';
import { Agents } from '../outside/agents.js';
import { matchesBody } from '../outside/body-pattern.js';
import { calmly } from '../outside/calmly.js';
import { type Failure, failureOf } from '../outside/failure.js';
import { inTurns } from '../outside/in-turns.js';
import { answered, noAnswer } from '../outside/problem.js';
import { type Answer, request } from '../outside/request.js';
import { shownUrl } from '../outside/shown-url.js';
import { formatRanges, isInRanges } from '../outside/status-ranges.js';

const dayMs = 86_400_000;
/** How much of an unexpected answer is shown. */
const excerptLength = 200;

/** Makes `network.http`: servers that a team needs answer, and as they should. Without more, any answer is fine. */
export function httpChecker(targets: readonly HttpTarget[], redactor: Pick<Redactor, 'first'>) {
  return defineChecker({
    name: 'network.http',
    description: 'URLs that the configuration names are answered as they should be',
    codes: [
      networkUnreachable,
      dnsResolutionFailed,
      httpUnexpected,
      latencyHigh,
      certificateInvalid,
      certificateExpiring,
    ],
    check(context) {
      const { clock, signal } = context;
      const frame = { clock, signal, agents: new Agents() };
      return inTurns(targets, async (target) => {
        let asked = target.url;
        const onAsk = (url: string) => {
          asked = url;
        };
        try {
          const answer = await calmly(target.latency, () => request(target, { ...frame, onAsk }));
          return judge(target, answer, { ...context, redactor });
        } catch (error) {
          context.signal.throwIfAborted();
          return silent(target, asked, failureOf(error), context);
        }
      });
    },
  });
}

function judge(
  target: HttpTarget,
  answer: Answer,
  { redactor, ...context }: CheckContext & { redactor: Pick<Redactor, 'first'> },
): CheckOutcome {
  const { name } = target;
  const { status, body, isCut } = answer;
  const unexpected = (reason: 'status' | 'body' | 'redirects', expected: string, message: string) =>
    context.fail(httpUnexpected, {
      target: name,
      message: `${name} ${message}`,
      details: {
        target: name,
        url: shownUrl(answer.url),
        reason,
        status,
        expected,
        ...(body === undefined ? {} : { excerpt: redactor.first(body, excerptLength) }),
      },
    });
  if (answer.tooManyRedirects) {
    const expected = `at most ${target.redirects} redirects`;
    return unexpected(
      'redirects',
      expected,
      `sends on to somewhere else more than ${counted(target.redirects, 'time')}`,
    );
  }
  if (target.status && !isInRanges(status, target.status)) {
    const expected = formatRanges(target.status);
    return unexpected('status', expected, `answered ${status} instead of ${expected}`);
  }
  if (target.body !== undefined && !matchesBody(body ?? '', target.body)) {
    const sofar = isCut ? ` as far as it came within ${formatDuration(target.timeout)}` : '';
    const message = `answered ${status} with a body that does not have ${target.body}${sofar}`;
    return unexpected('body', target.body, message);
  }
  return ageing(target, answer, context) ?? answered(target, answer.latencyMs, `answered ${status}`, context);
}

/** The outcome for a certificate that has run out or will soon. */
function ageing(
  { name, certificateDays: requiredDays }: HttpTarget,
  { url, validTo }: Answer,
  { warn, fail, clock }: CheckContext,
): CheckOutcome | undefined {
  if (requiredDays === undefined || validTo === undefined) return undefined;
  const daysLeft = Math.floor((validTo - clock.now()) / dayMs);
  if (daysLeft >= requiredDays) return undefined;
  const day = new Date(validTo).toISOString().slice(0, 10);
  const isOver = validTo <= clock.now();
  return (isOver ? fail : warn)(certificateExpiring, {
    target: name,
    message: `${name}: the certificate ${isOver ? 'ran out' : 'runs out'} on ${day}`,
    ...(isOver ? { severity: 'recoverable' as const } : {}),
    details: { target: name, url: shownUrl(url), validTo, daysLeft, requiredDays },
  });
}

/** The outcome for a URL that gave no answer: that of the target, or where it was sent on to. */
function silent(target: HttpTarget, asked: string, failure: Failure, context: CheckContext): CheckOutcome {
  const { name, timeout } = target;
  const { protocol, hostname, port } = new URL(asked);
  const url = shownUrl(asked);
  const { systemCode } = failure;
  if (failure.kind === 'certificate') {
    const why = {
      expired: 'has run out',
      'not-yet-valid': 'is not valid yet',
      'wrong-host': 'is for another host',
      untrusted: 'is not trusted here',
    }[failure.reason];
    const details = { target: name, url, reason: failure.reason, systemCode };
    return context.fail(certificateInvalid, {
      target: name,
      message: `${name}: the certificate ${why} (${systemCode})`,
      details,
    });
  }
  if (failure.kind === 'not-http') {
    const expected = protocol === 'https:' ? 'HTTP over TLS' : 'HTTP';
    const message = `${name} does not speak ${expected} (${systemCode})`;
    const details = { target: name, url, reason: 'not-http' as const, status: null, expected };
    return context.fail(httpUnexpected, { target: name, message, details });
  }
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  return noAnswer({ name, timeout, ...at }, failure, context);
}
