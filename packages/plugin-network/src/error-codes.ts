import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';
import { connectionSchema } from './verify/connection.js';

/** Why a connection was not made. `not-connected`: a container is not on the network that it should be on. */
export const unreachableReasons = ['refused', 'timed-out', 'no-route', 'not-connected', 'failed'] as const;

/** Why a connection was not made. */
export type UnreachableReason = (typeof unreachableReasons)[number];

const places = () => z.array(z.object({ network: z.string(), containers: z.array(z.string()) })).optional();

const common = () => ({
  /** Who tried: a service, or `this machine`. */
  source: z.string(),
  /** Who was to be reached: a service, a network, or what a check is called. */
  target: z.string(),
  /** The name or address that was used. */
  host: z.string(),
  /** Which containers of the environment are on which networks. */
  topology: places(),
  /** Who reaches whom, as far as it was tried. */
  connectivity: z.array(connectionSchema()).optional(),
});

/** Something that should be reached over the network is not, although its name leads somewhere. */
export const networkUnreachable = defineErrorCode({
  code: 'NETWORK_UNREACHABLE',
  category: 'network',
  severity: 'recoverable',
  summary: 'Something cannot be reached over the network',
  suggestedActions: ['network.reconnect', 'setup', 'status'],
  details: () =>
    z.object({
      ...common(),
      port: z.number().nullable(),
      reason: z.enum(unreachableReasons),
      /** What its name stands for, where that was looked up. */
      dns: z.object({ resolved: z.boolean(), addresses: z.array(z.string()) }).optional(),
      /** The system's own word, such as `EHOSTUNREACH`. */
      systemCode: z.string().optional(),
    }),
});

/** A name leads nowhere. */
export const dnsResolutionFailed = defineErrorCode({
  code: 'DNS_RESOLUTION_FAILED',
  category: 'network',
  severity: 'recoverable',
  summary: 'A host name cannot be resolved',
  suggestedActions: ['network.reconnect', 'setup', 'status'],
  details: () =>
    z.object({
      ...common(),
      /** `no-answer`: whoever was asked said nothing. */
      reason: z.enum(['not-found', 'no-answer']),
      /** The network on which the name was expected; null outside of an environment. */
      network: z.string().nullable(),
      /** All containers that are on that network now. */
      containers: z.array(z.string()),
      systemCode: z.string().optional(),
    }),
});

/** A server answers, but not with what a team expects of it. */
export const httpUnexpected = defineErrorCode({
  code: 'HTTP_UNEXPECTED',
  category: 'network',
  severity: 'recoverable',
  summary: 'A server does not answer as it should',
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      target: z.string(),
      url: z.string(),
      reason: z.enum(['status', 'body', 'redirects', 'not-http']),
      status: z.number().nullable(),
      expected: z.string(),
      /** The beginning of the answer. */
      excerpt: z.string().optional(),
    }),
});

/** Something answers, but takes longer than it should. */
export const latencyHigh = defineErrorCode({
  code: 'LATENCY_HIGH',
  category: 'network',
  severity: 'warning',
  summary: 'Something answers too slowly',
  suggestedActions: ['preflight-check'],
  details: () => z.object({ target: z.string(), latencyMs: z.number(), limitMs: z.number() }),
});

/** A server's certificate is not one to be trusted, so nothing was said to it. */
export const certificateInvalid = defineErrorCode({
  code: 'TLS_CERTIFICATE_INVALID',
  category: 'network',
  severity: 'recoverable',
  summary: "A server's certificate is not valid",
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      target: z.string(),
      url: z.string(),
      reason: z.enum(['expired', 'not-yet-valid', 'wrong-host', 'untrusted']),
      systemCode: z.string(),
    }),
});

/** A server's certificate will be of no use soon, or is of none already. */
export const certificateExpiring = defineErrorCode({
  code: 'TLS_CERTIFICATE_EXPIRING',
  category: 'network',
  severity: 'warning',
  summary: "A server's certificate runs out",
  suggestedActions: ['preflight-check'],
  details: () =>
    z.object({
      target: z.string(),
      url: z.string(),
      /** Milliseconds since the epoch. */
      validTo: z.number(),
      /** Whole days; negative when it has run out. */
      daysLeft: z.number(),
      requiredDays: z.number(),
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
