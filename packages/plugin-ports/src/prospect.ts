import { type ArgusConfig, spellingOf, speltOutIn } from '@argusai/core';
import type { Conflict } from './conflict.js';
import { probe } from './system/probe.js';
import type { Wish } from './wish.js';

/**
 * What a setup that may move ports does about a conflict. One whose port a command spells out is refused; a mock whose port the text of a container spells out is `refused`
 * where that container would get to somebody else; `doubtful`: that depends on where the engine is, or on what a service binds.
 */
export type Prospect = 'moved' | 'doubtful' | 'refused';

/**
 * An address of every Linux machine that nobody binds by name. So it is like the gateway of a network that is still to be made,
 * where a mock needs the port that is spelt out: only who is on every address is there too.
 */
const likeGateway = '127.255.255.254';

type Configured = Pick<ArgusConfig, 'services' | 'mocks'>;

/** Foresees what becomes of the service that cannot have its port. */
export async function prospectOf(
  { wish, cause }: Conflict,
  config: Configured,
  platform: NodeJS.Platform = process.platform,
): Promise<Prospect> {
  const { mocks } = config;
  if (inCommand(wish, config)) return 'refused';
  const mock = mocks[wish.service];
  if (mock?.routes === undefined || !inContainer(wish, config)) return 'moved';
  // Its user knows better where containers ask for it.
  if ('ARGUS_MOCK_ADDRESSES' in mock.environment) return 'doubtful';
  // Elsewhere the engine is in a virtual machine, from which containers get to the local address only.
  if (platform !== 'linux') return 'refused';
  if (cause.kind === 'shared') return mocks[cause.with]?.routes === undefined ? 'doubtful' : 'refused';
  return (await probe({ ...wish, address: likeGateway })) === 'held' ? 'refused' : 'doubtful';
}

/** The key of the text that spells out the port that a wish asks for. */
export function speltOutAt(wish: Wish, config: Configured): string | undefined {
  return inCommand(wish, config) ?? inContainer(wish, config);
}

function inCommand({ service, port: originalPort, protocol }: Wish, config: Configured): string | undefined {
  const lost = { service, originalPort, actualPort: 0, reassigned: true, protocol };
  return speltOutIn(named(config), [lost])[0]?.key;
}

function inContainer({ service, container }: Wish, config: Configured): string | undefined {
  return spellingOf(service, container, named(config));
}

function named({ services, mocks }: Configured) {
  return [
    ...Object.entries(services).map(([name, one]) => ({ ...one, name, kind: 'service' as const })),
    ...Object.entries(mocks).map(([name, one]) => ({ ...one, name, kind: 'mock' as const })),
  ];
}

/** What a setup does, in words. */
export function describeProspect(prospect: Prospect, service: string): string {
  const instead = 'a setup takes another port instead';
  if (prospect === 'moved') return instead;
  const write = `write {{ports.${service}}} in the command that spells it out`;
  if (prospect === 'refused') return `a setup fails: ${write}`;
  return `${instead}, or fails where containers would not find ${service}: ${write}`;
}
