import { once } from 'node:events';
import { createServer } from 'node:net';
import { configSchema, createKernel, EventBus, ownIdentity, systemClock, usePlugin } from '@argusai/core';
import ports from '@argusai/plugin-ports';
import { createSqliteStore } from '@argusai/store-sqlite';
import { detect } from 'detect-port';
import getPort, { clearLockedPorts, portNumbers } from 'get-port';
import portfinder from 'portfinder';

const CONFLICTS = 10;
const FIRST = 21_000;
const range = Array.from({ length: CONFLICTS }, (_, index) => FIRST + index);

async function takePorts(atEnd) {
  for (const port of range) {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => server.close());
  }
}

/** The stages of a setup that have to do with ports, over services that all ask for a taken port. */
async function portStages({ dir, atEnd }) {
  const store = createSqliteStore({ dir });
  atEnd(() => store.close());
  const services = Object.fromEntries(
    range.map((port, index) => [`s${index}`, { image: 'x', ports: [`${port}:80`] }]),
  );
  const config = configSchema.parse({ services });
  const project = { name: 'bench', dir };
  const { hooks } = createKernel({ project, config, store, plugins: [usePlugin(ports)] });
  const specs = Object.entries(config.services).map(([name, service]) => ({
    name,
    kind: 'service',
    ...service,
  }));
  const owner = await ownIdentity();

  /** Resolves as a setup of a run of its own does. */
  async function resolve(id, listener) {
    const run = { id, project: 'bench', worktree: dir, store: await store.id(), owner };
    const events = new EventBus(systemClock);
    if (listener) events.subscribe(listener);
    const { signal } = new AbortController();
    const parts = { services: specs, events, clock: systemClock, signal, report: () => undefined };
    const resolution = { services: specs, portMappings: [], refused: [] };
    const { portMappings } = await hooks.resolveEnvironment.promise(resolution, { run, project, ...parts });
    return portMappings.map(({ actualPort }) => actualPort);
  }
  // The run is over, so that the next finds the same ports free.
  const release = (id) => hooks.afterStop.promise({ id });
  return { resolve, release };
}

/** Ten different ports, none of them taken. */
function prove(found) {
  const isRight = new Set(found).size === CONFLICTS && found.every((port) => !range.includes(port));
  if (!isRight) throw new Error(`wrong ports: ${found.join(', ')}`);
}

/** They know nothing of each other's answers, so one port is looked for after the other, from behind the last. */
async function oneByOne(find) {
  const found = [];
  for (const port of range) found.push(await find(Math.max(port, (found.at(-1) ?? 0) + 1)));
  return found;
}

/** The least that finds ports: any that the system has to give, held until all are found. */
async function plainBinds() {
  const servers = range.map(() => createServer().listen(0));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const found = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return found;
}

/** How long it takes to give ten services other ports when theirs are taken. */
export default {
  title: 'Ports',
  about:
    'Ten services whose ports are taken get others. argus also leases them in a store on disk, which the others do not; the second row of argus also tells which process holds each taken port, as it does when somebody listens. The floor binds ten ports that the system chooses, near to nothing that was asked for.',
  async prepare({ dir, atEnd }) {
    await takePorts(atEnd);
    const { resolve, release } = await portStages({ dir, atEnd });
    const proven = (run) => ({ run, after: prove });
    const ours = (name, listener) => ({
      run: (round) => resolve(`${name}${round}`, listener),
      async after(found, round) {
        await release(`${name}${round}`);
        prove(found);
      },
    });
    return {
      tables: [
        {
          title: 'Ten taken ports replaced',
          rounds: 41,
          warmUps: 5,
          floor: 'ten plain binds',
          peers: ['get-port', 'portfinder', 'detect-port'],
          contestants: {
            'ten plain binds': proven(plainBinds),
            argus: ours('run'),
            'argus, told by whom': ours('told', () => undefined),
            'get-port': proven(() => {
              clearLockedPorts();
              const upTo = FIRST + 10 * CONFLICTS;
              return Promise.all(range.map((port) => getPort({ port: portNumbers(port, upTo) })));
            }),
            portfinder: proven(() => oneByOne((port) => portfinder.getPortPromise({ port }))),
            'detect-port': proven(() => oneByOne((port) => detect(port))),
          },
          bars: [{ of: 'argus', to: 'get-port', most: 1 }],
        },
      ],
    };
  },
};
