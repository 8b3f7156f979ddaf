import { property } from '../model/property.js';
import { interpolate } from './compose/interpolate.js';
import { serviceOf } from './compose/service-of.js';
import type { Draft, DraftService } from './draft.js';

/** The names of a Compose file, the first one wins as it does for Compose. */
export const composeFiles = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

const reasons: Readonly<Record<string, string>> = {
  configs: 'mount files with volumes',
  include: 'the files that it names are not read',
  networks: 'every environment has a network of its own, which all its services share',
  secrets: 'mount files with volumes',
};

/** What a Compose file says. Throws when it is no YAML. */
export async function fromCompose(file: string, text: string): Promise<Draft> {
  const source = { kind: 'compose', file } as const;
  const empty = { source, services: [], suites: [] };
  const { parse } = await import('yaml');
  const compose: unknown = parse(text, { merge: true, prettyErrors: false, logLevel: 'error' });
  const read = Object.entries(Object(property(compose, 'services'))).map(([name, service]) =>
    serviceOf(name, service, file),
  );
  const ended = new Set(read.flatMap((one) => one.ended));
  const { project, notes } = nameOf(compose);
  return {
    ...empty,
    ...(project === undefined ? {} : { project }),
    services: read.map(({ service }) => (ended.has(service.name) ? oneShot(service) : service)),
    notes: [...(read.length === 0 ? [`${file} has no services`] : []), ...notes, ...leftOut(file, compose)],
  };
}

/** Others wait until it has done its work, so it is one that ends. */
function oneShot(service: DraftService): DraftService {
  return { ...service, spec: { ...service.spec, oneShot: true } };
}

function nameOf(compose: unknown): { project?: string; notes: string[] } {
  const name = property(compose, 'name');
  if (typeof name !== 'string') return { notes: [] };
  const { text, missing } = interpolate(name);
  if (missing.length === 0) return { project: text, notes: [] };
  return { notes: [`name: ${missing.join(' and ')} has no default`] };
}

function leftOut(file: string, compose: unknown): string[] {
  const keys = Object.keys(Object(compose)).filter((key) => key in reasons);
  const volumes = Object.entries(Object(property(compose, 'volumes')));
  const special = volumes.filter(([, volume]) => Object.keys(Object(volume)).length > 0);
  return [
    ...keys.map((key) => `${file}: ${key} is left out: ${reasons[key]}`),
    ...special.map(
      ([name]) => `${file}: the settings of the volume ${name} are left out: volumes belong to a run`,
    ),
  ];
}
