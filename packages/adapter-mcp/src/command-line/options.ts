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
  /** For how long nothing may move in the process that works before it is ended, in milliseconds. */
  readonly silenceMs: number;
  /** Over HTTP instead of stdio. */
  readonly http?: { readonly host: string; readonly port: number };
  /** Over HTTP at a socket of the file system. */
  readonly socket?: string;
}

/** A client gives up after a minute, so it is answered well before. */
const defaultPatienceMs = 45_000;
/** Node’s timers take no more, and would end at once instead. */
const maxPatienceMs = 2 ** 31 - 1;
/** Longer than anything that is meant holds up a process. */
const defaultSilenceMs = 10_000;
/** A busy machine holds everybody up for a while. */
const shortestSilenceMs = 1_000;
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
      standstill: { type: 'string' },
      http: { type: 'boolean' },
      host: { type: 'string' },
      port: { type: 'string' },
      socket: { type: 'string' },
    },
  });
  const { project, allow = [], http, host, port, patience, standstill, socket } = values;
  const overHttp = http === true || host !== undefined || port !== undefined;
  if (overHttp && socket !== undefined) throw new Error('--socket takes no --http, --host or --port');
  if (socket === '') throw new Error('--socket must be the path of a file');
  return {
    allow,
    readOnly: values['read-only'] === true,
    patienceMs: seconds('patience', patience, defaultPatienceMs),
    silenceMs: Math.max(seconds('standstill', standstill, defaultSilenceMs), shortestSilenceMs),
    ...(project === undefined ? {} : { project }),
    ...(socket === undefined ? {} : { socket }),
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

/** What was given in seconds, in milliseconds. */
function seconds(name: string, given: string | undefined, otherwise: number): number {
  return given === undefined ? otherwise : Math.min(1_000 * number(name, given), maxPatienceMs);
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
