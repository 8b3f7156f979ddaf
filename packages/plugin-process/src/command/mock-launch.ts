import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mockHealthPath, type ServiceSpec } from '@argusai/core';
import type { MockFailure, MockReady, MockSettings } from '../programs/mock-server.mjs';
import { bridgeAddresses } from '../system/bridge-addresses.js';
import { programFile } from '../system/program-file.js';
import { actualPort } from '../system/taken-port.js';
import { type PreparedCommand, userEnvironment } from './launch.js';

/** The variable with more addresses to listen on, separated by commas: those at which containers reach this machine. */
const addressesName = 'ARGUS_MOCK_ADDRESSES';

/** What the server of a mock says when it has tried to listen. */
export type MockNews = MockReady | MockFailure;

/** Prepares the server of a mock with routes; what it answers is written to the folder of the service. */
export async function prepareMock(
  service: ServiceSpec,
  dir: string,
  all: readonly ServiceSpec[],
): Promise<PreparedCommand> {
  const file = join(dir, 'mock.json');
  await writeFile(file, JSON.stringify(settingsOf(service, dir, addressesFor(service, all))), {
    mode: 0o600,
  });
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
function settingsOf(service: ServiceSpec, dir: string, addresses: readonly string[]): MockSettings {
  const { name, routes = [], ports } = service;
  const places = ports.flatMap((mapping) => {
    const port = actualPort(mapping);
    const own = mapping.ip === null ? ['127.0.0.1'] : [mapping.ip.replace(/^\[|\]$/g, '')];
    // Containers ask for the port that is configured, or for the one that this machine had to give instead.
    const asked = [...new Set([mapping.container, port])];
    const elsewhere = addresses.flatMap((host) => asked.map((one) => ({ host, ports: [one] })));
    return [
      ...own.map((host) => ({ host, ports: [port], required: true })),
      // Many programs try this one first when they are told `localhost`.
      ...(mapping.ip === null ? [{ host: '::1', ports: [port], required: false }] : []),
      ...elsewhere.map((place) => ({ ...place, required: false })),
    ];
  });
  return {
    ...{ name, routes: routes.map((route) => ({ ...route })), places },
    ...{ readyFile: readyFile(dir), healthPath: mockHealthPath },
  };
}

/** More addresses to listen on: those that were given, or the engine's bridges when there are containers to serve. */
function addressesFor({ environment }: ServiceSpec, all: readonly ServiceSpec[]): string[] {
  const given = environment[addressesName];
  if (given !== undefined) return given.split(/[\s,]+/).filter((address) => address !== '');
  const hasContainers = all.some(({ image, build }) => image !== undefined || build !== undefined);
  return hasContainers ? bridgeAddresses() : [];
}
