import { duration } from '@argusai/core';
import * as z from 'zod';
import { address } from './outside/address.js';
import { bodyPattern } from './outside/body-pattern.js';
import { shownUrl } from './outside/shown-url.js';
import { statusRanges } from './outside/status-ranges.js';

const common = () => ({
  name: z.string().min(1).optional().describe('What results call it. Left out: what is looked at.'),
  timeout: duration().default('5s').describe('How long it may take to answer at all.'),
  latency: duration().optional().describe('A slower answer than this is a warning.'),
});

const url = () =>
  z.url({ protocol: /^https?$/, error: 'expected a URL that begins with http:// or https://' });

const makeHttp = () => {
  const target = z.strictObject({
    url: url().describe('What to ask for.'),
    ...common(),
    method: z.enum(['GET', 'HEAD']).default('GET').describe('How to ask for it.'),
    headers: z.record(z.string(), z.string()).default({}).describe('Headers of the request.'),
    status: statusRanges()
      .optional()
      .describe('The status that is expected: 200, "200-299", or a list of such. Left out: any.'),
    body: bodyPattern()
      .optional()
      .describe('A text that the body must have in it, or a pattern such as "/ok|fine/i".'),
    certificateDays: z
      .number()
      .min(0)
      .optional()
      .describe('A certificate that runs out in fewer days is a warning; one that has run out is a failure.'),
    insecure: z.boolean().default(false).describe('Accept any certificate, such as a self-signed one.'),
    redirects: z.int().min(0).max(20).default(0).describe('How many redirects to follow.'),
  });
  return list(
    z.union([
      url()
        .transform((text) => ({ url: text }))
        .pipe(target),
      target,
    ]),
    (one) => shownUrl(one.url),
  );
};

const makeTcp = () => {
  const target = z.strictObject({
    address: address().describe('Where to connect: "db.example.com:5432".'),
    ...common(),
  });
  const short = z.string().transform((text) => ({ address: text }));
  return list(z.union([short.pipe(target), target]), (one) => one.address.text);
};

const makeDns = () => {
  const target = z.strictObject({ host: z.string().min(1).describe('The name to look up.'), ...common() });
  const short = z.string().transform((text) => ({ host: text }));
  return list(z.union([short.pipe(target), target]), (one) => one.host);
};

const makeVerify = () =>
  z.strictObject({
    timeout: duration().default('2s').describe('How long one connection between services may take.'),
    patience: duration()
      .default('30s')
      .describe('How long a mock, or a port that a health check has found open, may refuse connections.'),
  });

/** A list of targets, each with a name that no other has: results are told apart by it. */
function list<Target extends { name?: string | undefined }, Schema extends z.ZodType<Target>>(
  target: Schema,
  nameOf: (target: z.output<Schema>) => string,
) {
  return z.array(target).transform((targets, context) => {
    const named = targets.map((one) => ({ ...one, name: one.name ?? nameOf(one) }));
    for (const [index, { name }] of named.entries()) {
      if (named.findIndex((one) => one.name === name) === index) continue;
      const message = `another one is called ${JSON.stringify(name)}; give one of them a name of its own`;
      context.issues.push({ code: 'custom', input: targets[index], path: [index], message });
    }
    return named;
  });
}

/** The options of the plugin. What is not used is not even made: every start of argus would pay for it. */
export const options = z.strictObject({
  http: z.lazy(makeHttp).default([]).describe('URLs to ask for, each alone or with what is expected of it.'),
  tcp: z.lazy(makeTcp).default([]).describe('Ports to connect to: "db.example.com:5432".'),
  dns: z.lazy(makeDns).default([]).describe('Host names to look up.'),
  verify: z
    .lazy(makeVerify)
    .default({ timeout: 2_000, patience: 30_000 })
    .describe('How the connections inside an environment are verified at the end of a setup.'),
});

/** The options as they are used. */
export type NetworkOptions = z.output<typeof options>;
/** One URL to ask for. */
export type HttpTarget = NetworkOptions['http'][number];
/** One port to connect to. */
export type TcpTarget = NetworkOptions['tcp'][number];
/** One name to look up. */
export type DnsTarget = NetworkOptions['dns'][number];
