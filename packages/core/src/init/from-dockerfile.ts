import { healthcheckOf } from './dockerfile/healthcheck-of.js';
import { type Instruction, instructionsOf } from './dockerfile/instructions.js';
import { lastStage } from './dockerfile/last-stage.js';
import type { Draft } from './draft.js';

/** What a Dockerfile says: a service that is built from it, with its ports and its health check. */
export function fromDockerfile(text: string): Draft {
  const file = 'Dockerfile';
  const stage = lastStage(instructionsOf(text));
  const ports = exposed(stage);
  const check = stage.findLast(({ name }) => name === 'HEALTHCHECK');
  const healthcheck = check && healthcheckOf(check.text);
  const spec = {
    build: '.',
    ...(ports.known.length === 0 ? {} : { ports: ports.known }),
    ...(healthcheck ? { healthcheck } : {}),
  };
  const notes = [
    ...ports.unknown.map((port) => `left out: EXPOSE ${port}: its value is not in the Dockerfile`),
    ...(healthcheck ? [] : [`no HEALTHCHECK: ${adviceFor(ports.known)} would tell when it is ready`]),
  ];
  return {
    source: { kind: 'dockerfile', file },
    suites: [],
    notes: [],
    services: [{ name: 'app', from: file, spec, notes }],
  };
}

/** A check that can be made: over HTTP only where a port is published over TCP. */
function adviceFor(ports: readonly string[]): string {
  const isPublished = ports.some((port) => !port.endsWith('/udp'));
  return `${isPublished ? '' : 'ports: ["8080"] and '}healthcheck: { http: / }`;
}

/** The ports of EXPOSE, each the same here as inside. */
function exposed(stage: readonly Instruction[]): { known: string[]; unknown: string[] } {
  const values = new Map<string, string>();
  const known = new Set<string>();
  const unknown: string[] = [];
  for (const { name, text } of stage) {
    if (name === 'ENV' || name === 'ARG')
      for (const [key, value] of assignments(text)) values.set(key, value);
    if (name !== 'EXPOSE') continue;
    for (const written of text.split(/\s+/)) {
      const port = filled(written, values);
      const [number = '', protocol] = port.split('/');
      if (port.includes('$')) unknown.push(written);
      else
        known.add(`${number}:${number}${protocol === undefined || protocol === 'tcp' ? '' : `/${protocol}`}`);
    }
  }
  return { known: [...known], unknown };
}

function assignments(text: string): [string, string][] {
  const plain = /^(\w+)\s+([^=]+)$/.exec(text);
  if (plain) return [[plain[1] ?? '', plain[2] ?? '']];
  return [...text.matchAll(/(\w+)=(?:"([^"]*)"|'([^']*)'|(\S*))/g)].map(([, key = '', ...values]) => [
    key,
    values.find((value) => value !== undefined) ?? '',
  ]);
}

function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$(?:\{(\w+)(?::-([^}]*))?\}|(\w+))/g,
    (whole, braced: string | undefined, fallback: string | undefined, bare: string | undefined) =>
      values.get(braced ?? bare ?? '') ?? fallback ?? whole,
  );
}
