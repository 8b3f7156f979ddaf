import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { mappingOf } from '../../config/port-mapping.js';
import type { ArgusConfig } from '../../config/schema.js';
import type { Project } from '../../model/project.js';
import { askedAt } from './asked-at.js';
import type { BuildSpec, EnvironmentSpec, HealthSpec, ServiceSpec } from './service-spec.js';

/** Where the server of a mock with routes says that it answers, whatever its routes are. */
export const mockHealthPath = '/__argus/health';

const mockHealth: HealthSpec = {
  http: mockHealthPath,
  interval: 1_000,
  timeout: 2_000,
  retries: 5,
  startPeriod: 10_000,
};

/** The environment that a configuration describes: its services, then its mocks. */
export function environmentOf(config: ArgusConfig, project: Project): EnvironmentSpec {
  const services = Object.entries(config.services).map(([name, service]) =>
    serviceOf(name, service, project),
  );
  const mocks = Object.entries(config.mocks).map(([name, mock]) => mockOf(name, mock));
  const all = [...services, ...mocks];
  return {
    services: all.map((service) => {
      const place = askedAt(service, all);
      return place ? { ...service, askedAt: place } : service;
    }),
  };
}

function serviceOf(name: string, configured: ArgusConfig['services'][string], project: Project): ServiceSpec {
  const { build, image, command, entrypoint, healthcheck, init, memory, cpus, user, ...rest } = configured;
  return {
    ...rest,
    name,
    kind: 'service' as const,
    ...(build === undefined ? {} : { build: buildOf(build, project) }),
    // An image that is built here needs a name; one that is only used has its own.
    ...(image !== undefined ? { image } : build !== undefined ? { image: builtImage(project, name) } : {}),
    ...(command === undefined ? {} : { command }),
    ...(entrypoint === undefined ? {} : { entrypoint }),
    ...(healthcheck === undefined ? {} : { healthcheck }),
    ...(init === undefined ? {} : { init }),
    ...(memory === undefined ? {} : { memory }),
    ...(cpus === undefined ? {} : { cpus }),
    ...(user === undefined ? {} : { user }),
  };
}

function mockOf(
  name: string,
  { port, routes, image, command, environment, vars }: ArgusConfig['mocks'][string],
): ServiceSpec {
  return {
    name,
    kind: 'mock',
    environment,
    vars,
    dependsOn: [],
    restartWith: [],
    volumes: [],
    oneShot: false,
    ports: port === undefined ? [] : [mappingOf(port)],
    ...(routes === undefined ? {} : { routes, healthcheck: mockHealth }),
    ...(image === undefined ? {} : { image }),
    ...(command === undefined ? {} : { command }),
  };
}

function buildOf(build: NonNullable<ArgusConfig['services'][string]['build']>, { dir }: Project): BuildSpec {
  if (typeof build === 'string') return { context: resolve(dir, build), args: {} };
  const { context, dockerfile, args, target } = build;
  return {
    context: resolve(dir, context),
    args,
    ...(dockerfile === undefined ? {} : { dockerfile: resolve(dir, context, dockerfile) }),
    ...(target === undefined ? {} : { target }),
  };
}

/** Two folders of one project must not overwrite each other's images, so the folder is part of the name. */
function builtImage({ name: project, dir }: Project, service: string): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'x';
  const folder = createHash('sha256').update(dir).digest('hex').slice(0, 8);
  return `argus-${plain(project)}-${plain(service)}:${folder}`;
}
