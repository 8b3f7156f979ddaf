import { parseArgs } from 'node:util';

/** What the server was started with. */
export interface McpOptions {
  /** The folder to work in, when it was named. */
  readonly project?: string;
  /** More folders that calls may name. */
  readonly allow: readonly string[];
  /** Nothing that changes anything is offered. */
  readonly readOnly: boolean;
  /** How long a call may take before it is answered with what goes on, in milliseconds. */
  readonly patienceMs: number;
  /** Over HTTP instead of stdio. */
  readonly http?: { readonly host: string; readonly port: number };
}

/** A client gives up after a minute, so it is answered well before. */
const defaultPatienceMs = 45_000;
/** Node’s timers take no more, and would end at once instead. */
const maxPatienceMs = 2 ** 31 - 1;
const defaultPort = 7333;
const maxPort = 65_535;

/** Reads the arguments. What is wrong with them is thrown, in words. */
export function parseOptions(argv: readonly string[]): McpOptions {
  const { values } = parseArgs({
    args: [...argv],
    strict: true,
    allowPositionals: false,
    options: {
      project: { type: 'string' },
      allow: { type: 'string', multiple: true },
      'read-only': { type: 'boolean' },
      patience: { type: 'string' },
      http: { type: 'boolean' },
      host: { type: 'string' },
      port: { type: 'string' },
    },
  });
  const { project, allow = [], http, host, port, patience } = values;
  const overHttp = http === true || host !== undefined || port !== undefined;
  const patienceMs =
    patience === undefined
      ? defaultPatienceMs
      : Math.min(1_000 * number('patience', patience), maxPatienceMs);
  return {
    allow,
    readOnly: values['read-only'] === true,
    patienceMs,
    ...(project === undefined ? {} : { project }),
    ...(overHttp
      ? {
          http: {
            host: host ?? '127.0.0.1',
            port: port === undefined ? defaultPort : portIn(port),
          },
        }
      : {}),
  };
}

function portIn(text: string): number {
  const port = number('port', text);
  if (Number.isInteger(port) && port <= maxPort) return port;
  throw new Error(`--port must be a whole number up to ${maxPort}, not ${text}`);
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`--${name} must be a number, not ${text}`);
}
