import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';
import { notReconnectedSchema } from './placement/not-reconnected.js';
import { connectionSchema } from './verify/connection.js';

/** Why a connection was not made. `not-connected`: a container is not on the network that it should be on. */
export const unreachableReasons = ['refused', 'timed-out', 'no-route', 'not-connected', 'failed'] as const;

/** Why a connection was not made. */
export type UnreachableReason = (typeof unreachableReasons)[number];

const places = () => z.array(z.object({ network: z.string(), containers: z.array(z.string()) })).optional();

const common = () => ({
  source: z.string().describe('Who tried: a service, or `this machine`'),
  target: z.string().describe('Who was to be reached: a service, a network, or what a check is called'),
  host: z.string().describe('The name or address that was used'),
  topology: places().describe('Which containers of the environment are on which networks'),
  connectivity: z.array(connectionSchema()).optional().describe('Who reaches whom, as far as it was tried'),
  notReconnected: z
    .array(notReconnectedSchema())
    .optional()
    .describe('Containers that are not on the network and that a setup may not connect: why, and what does'),
});

/** Something that should be reached over the network is not, although its name leads somewhere. */
export const networkUnreachable = defineErrorCode({
  code: 'NETWORK_UNREACHABLE',
  category: 'network',
  severity: 'recoverable',
  summary: 'Something cannot be reached over the network',
  causes: [
    'The server does not run, or listens on another port or address.',
    'A firewall or a missing route is in the way.',
    'A container of the environment is not on its network.',
  ],
  handling:
    'A setup connects a container again that ran already and has lost its network, from autonomy moderate on and unless policy.exclude names it; policy.consecutiveFailures does not count there, because somebody has asked for the setup. Where it may not, the error has the rule and the command that connects it.',
  remedy:
    'Start the server or correct the address; set the environment up again if it is one of its services.',
  suggestedActions: ['network.reconnect', 'setup', 'status'],
  details: () =>
    z.object({
      ...common(),
      port: z.number().nullable().describe('The port, where there is one'),
      reason: z.enum(unreachableReasons).describe('What became of the connection'),
      dns: z
        .object({ resolved: z.boolean(), addresses: z.array(z.string()) })
        .optional()
        .describe('What its name stands for, where that was looked up'),
      systemCode: z.string().optional().describe("The system's own word, such as `EHOSTUNREACH`"),
    }),
});

/** A name leads nowhere. */
export const dnsResolutionFailed = defineErrorCode({
  code: 'DNS_RESOLUTION_FAILED',
  category: 'network',
  severity: 'recoverable',
  summary: 'A host name cannot be resolved',
  causes: [
    'The name is wrong, or no name server answers.',
    'A container is on the network of the environment, but not under its name.',
  ],
  handling:
    'A setup connects a container again that ran already and has lost its network, from autonomy moderate on and unless policy.exclude names it; policy.consecutiveFailures does not count there, because somebody has asked for the setup. Where it may not, the error has the rule and the command that connects it.',
  remedy: 'Correct the name, or look whether this machine is online and its name server answers.',
  suggestedActions: ['network.reconnect', 'setup', 'status'],
  details: () =>
    z.object({
      ...common(),
      reason: z.enum(['not-found', 'no-answer']).describe('`no-answer`: whoever was asked said nothing'),
      network: z
        .string()
        .nullable()
        .describe('The network on which the name was expected; null outside of an environment'),
      containers: z.array(z.string()).describe('All containers that are on that network now'),
      systemCode: z.string().optional().describe("The system's own word, such as `ENOTFOUND`"),
    }),
});

/** A server answers, but not with what a team expects of it. */
export const httpUnexpected = defineErrorCode({
  code: 'HTTP_UNEXPECTED',
  category: 'network',
  severity: 'recoverable',
  summary: 'A server does not answer as it should',
  causes: [
    'The server answers with another status or another body than the configuration expects.',
    'It redirects too often.',
    'What answers on that port does not speak HTTP.',
  ],
  remedy: 'Look at the server, or correct what the options of the plugin network expect.',
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      target: z.string().describe('What results call it'),
      url: z.string().describe('What was asked for'),
      reason: z.enum(['status', 'body', 'redirects', 'not-http']).describe('What of the answer is wrong'),
      status: z.number().nullable().describe('The status of the answer, if it had one'),
      expected: z.string().describe('What should have come'),
      excerpt: z.string().optional().describe('The beginning of the answer'),
    }),
});

/** Something answers, but takes longer than it should. */
export const latencyHigh = defineErrorCode({
  code: 'LATENCY_HIGH',
  category: 'network',
  severity: 'warning',
  summary: 'Something answers too slowly',
  causes: [
    'The server or the network is busy.',
    'The limit in the options of the plugin network is tighter than what is usual there.',
  ],
  remedy: 'Look at what keeps it busy, or raise latency in the options.',
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      target: z.string().describe('What results call it'),
      latencyMs: z.number().describe('How long the answer took'),
      limitMs: z.number().describe('How long it may take'),
    }),
});

/** A server's certificate is not one to be trusted, so nothing was said to it. */
export const certificateInvalid = defineErrorCode({
  code: 'TLS_CERTIFICATE_INVALID',
  category: 'network',
  severity: 'recoverable',
  summary: "A server's certificate is not valid",
  causes: [
    'The certificate has run out, is not valid yet, or is for another host.',
    'Nobody whom this machine trusts has signed it.',
    'The clock of this machine is wrong.',
  ],
  remedy: 'Renew the certificate, or let Node trust who signed it with NODE_EXTRA_CA_CERTS.',
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      target: z.string().describe('What results call it'),
      url: z.string().describe('What was asked for'),
      reason: z
        .enum(['expired', 'not-yet-valid', 'wrong-host', 'untrusted'])
        .describe('What is wrong with the certificate'),
      systemCode: z.string().describe("Node's own word, such as `CERT_HAS_EXPIRED`"),
    }),
});

/** A server's certificate will be of no use soon, or is of none already. */
export const certificateExpiring = defineErrorCode({
  code: 'TLS_CERTIFICATE_EXPIRING',
  category: 'network',
  severity: 'warning',
  summary: "A server's certificate runs out",
  causes: ['Nobody has renewed the certificate; fewer days are left than certificateDays asks for.'],
  remedy: 'Renew the certificate.',
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      target: z.string().describe('What results call it'),
      url: z.string().describe('What was asked for'),
      validTo: z.number().describe('Milliseconds since the epoch'),
      daysLeft: z.number().describe('Whole days; negative when it has run out'),
      requiredDays: z.number().describe('How many days should be left'),
    }),
});

/** Every code that this plugin declares. */
export const networkErrorCodes = [
  networkUnreachable,
  dnsResolutionFailed,
  httpUnexpected,
  latencyHigh,
  certificateInvalid,
  certificateExpiring,
];
