import { join } from 'node:path';
import {
  mockHealthPath,
  portsSpeltOut,
  type RunContext,
  replaceOwnFile,
  type ServiceSpec,
} from '@argusai/core';
import type { MockFailure, MockReady, MockSettings, Place } from '../programs/mock-server.mjs';
import { programFile } from '../system/program-file.js';
import { actualPort } from '../system/taken-port.js';
import { type PreparedCommand, userEnvironment } from './launch.js';

/** The variable with more addresses to listen on, separated by commas, for whoever asks there. */
const addressesName = 'ARGUS_MOCK_ADDRESSES';

/** What the places of a mock are chosen by. */
type Around = Pick<RunContext, 'services' | 'gateways'>;

/** What the server of a mock says when it has tried to listen. */
export type MockNews = MockReady | MockFailure;

/** Prepares the server of a mock with routes; what it answers is written to the folder of the service. */
export async function prepareMock(
  service: ServiceSpec,
  dir: string,
  around: Around,
): Promise<PreparedCommand> {
  const file = join(dir, 'mock.json');
  replaceOwnFile(file, JSON.stringify(settingsOf(service, dir, around)));
  const env = { ...userEnvironment(), ...service.environment };
  // Meant for the user's own programs; they may name files that only those can load.
  delete env.NODE_OPTIONS;
  return { argv: [process.execPath, programFile('mock-server'), file], cwd: dir, env };
}

/** Where the server of a mock says that it listens, or why it cannot. */
export function readyFile(dir: string): string {
  return join(dir, 'mock-ready.json');
}

/** What the server of a mock is told. */
function settingsOf(service: ServiceSpec, dir: string, around: Around): MockSettings {
  const { name, routes = [], ports } = service;
  return {
    name,
    routes: routes.map((route) => ({ ...route })),
    places: ports.flatMap((mapping) => placesOf(service, mapping, around)),
    readyFile: readyFile(dir),
    healthPath: mockHealthPath,
  };
}

function placesOf(
  service: ServiceSpec,
  mapping: ServiceSpec['ports'][number],
  { services, gateways = [] }: Around,
): Place[] {
  const port = actualPort(mapping);
  const { container: configured, ip } = mapping;
  const asked = (host: string, needed: Place['needed'], neededToo: Place['needed']): Place[] => [
    { host, port, needed },
    ...(configured === port ? [] : [{ host, port: configured, needed: neededToo }]),
  ];
  // Containers are told the port that it has here, and may use the configured one as well: nobody else is on the gateway of
  // their run, except who is on every address. Whoever spells it out must not get to that one.
  const isSpeltOut = portsSpeltOut(service, services).includes(configured);
  const given = addressesOf(service).filter((host) => !gateways.includes(host));
  return [
    { host: ip?.replace(/^\[|\]$/g, '') ?? '127.0.0.1', port, needed: 'always' },
    // Many programs try this one first when they are told `localhost`.
    ...(ip === null ? [{ host: '::1', port, needed: 'if-free' as const }] : []),
    ...gateways.flatMap((host) => asked(host, 'if-there', isSpeltOut ? 'if-there' : 'if-free')),
    ...given.flatMap((host) => asked(host, 'if-free', 'if-free')),
  ];
}

/** More addresses that a mock is to listen on, by its own environment. */
export function addressesOf({ environment }: ServiceSpec): string[] {
  return environment[addressesName]?.split(/[\s,]+/).filter((address) => address !== '') ?? [];
}
