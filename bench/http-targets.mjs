import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { createKernel, runChecks, usePlugin } from '@argusai/core';
import network from '@argusai/plugin-network';

const TARGETS = 1_000;
const AT_ONCE = 100;
const program = fileURLToPath(new URL('programs/http-servers.mjs', import.meta.url));
const floor = 'a node:http loop with an agent';

/** In a process of their own, so that their work is not counted. */
async function startServers(atEnd) {
  const servers = fork(program, [String(TARGETS)]);
  atEnd(() => servers.kill('SIGKILL'));
  const [ports] = await once(servers, 'message');
  return ports;
}

/** The processor time of some work, in milliseconds: it is what checks take from the tests that run beside them. */
const cpuOf = (work) => async () => {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
};

const get = (url, agent) =>
  new Promise((resolve, reject) => {
    const request = http.get(url, { agent, timeout: 5_000 }, (response) => {
      response.once('end', () => resolve(response.statusCode)).resume();
    });
    request.once('error', reject).once('timeout', () => request.destroy(new Error('no answer in time')));
  });

/** So many at a time ask for one after the other. */
async function loop(urls, ask) {
  const left = urls.values();
  const worker = async () => {
    for (const url of left) if ((await ask(url)) !== 200) throw new Error('not as expected');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** As argus connects: each server is asked once, so a connection that is kept would only be a cost. */
async function withAgent(urls) {
  const agent = new http.Agent({ keepAlive: false });
  await loop(urls, (url) => get(url, agent));
}

function argus(urls) {
  const targets = urls.map((url) => ({ url, status: 200 }));
  const kernel = createKernel({
    project: { name: 'bench', dir: process.cwd() },
    plugins: [usePlugin(network, { http: targets })],
  });
  return async () => {
    const { checks } = await runChecks(kernel);
    const passed = checks.filter(({ status }) => status === 'pass').length;
    if (passed !== TARGETS) throw new Error(`${passed} of ${TARGETS} passed`);
  };
}

/** What it costs to look at many URLs once. */
export default {
  title: 'Checks at scale',
  about:
    '1,000 servers on the loopback address, each asked once: the processor time of the process that asks. Neither keeps a connection. The loop asks 100 at a time and looks at nothing but the status; argus also takes the latency, keeps a deadline for each and reports on each.',
  async prepare({ atEnd }) {
    const ports = await startServers(atEnd);
    const urls = ports.map((port) => `http://127.0.0.1:${port}/`);
    return {
      tables: [
        {
          title: '1,000 HTTP targets checked once, processor time',
          rounds: 15,
          warmUps: 2,
          floor,
          contestants: {
            [floor]: cpuOf(() => withAgent(urls)),
            argus: cpuOf(argus(urls)),
          },
          bars: [{ of: 'argus', to: floor, most: 1.5 }],
        },
      ],
    };
  },
};
