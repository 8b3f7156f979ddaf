import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundle } from './runner/bundle.mjs';
import { contestant } from './runner/contestant.mjs';

const argus = fileURLToPath(new URL('../packages/adapter-mcp/dist/argus-mcp.js', import.meta.url));
const minimal = fileURLToPath(new URL('programs/minimal-mcp.mjs', import.meta.url));

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/** Starts a server that is asked line by line. */
function start(program, { cwd, env, signal }) {
  const child = spawn(process.execPath, [program], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  let last = 0;
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, resolve);
      closed.then(() => reject(new Error(`${program} ended before it answered`)));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    });
  const end = () => {
    child.stdin.end();
    return closed;
  };
  return { ask, end };
}

const firstAnswer = (program, options) => ({
  async run() {
    const server = start(program, options);
    await server.ask('initialize', hello);
    return server;
  },
  after: (server) => server?.end(),
});

const build = { name: 'argus_build', arguments: {} };
const codeOf = ({ structuredContent }) => structuredContent.error?.code;

/** The calls that cannot be done without Docker. */
const refused = [
  build,
  { name: 'argus_setup', arguments: {} },
  { name: 'argus_run', arguments: { command: ['true'], confirm: true } },
  { name: 'argus_clean', arguments: { allRuns: true, confirm: true } },
];

/** The calls that tell in their data what could not be looked at; how long other checks take is not asked here. */
const only = ['docker'];
const told = [
  { name: 'argus_preflight_check', arguments: { only } },
  { name: 'argus_plan_recovery', arguments: { only } },
  { name: 'argus_fix', arguments: { only, plan: true } },
];

/** Whether an answer says that the circuit is open, as its error or among what was found. */
const saysSo = (call, answer) =>
  refused.includes(call)
    ? codeOf(answer) === 'CIRCUIT_OPEN'
    : JSON.stringify(answer.structuredContent.data).includes('"CIRCUIT_OPEN"');

/** A server whose Docker circuit is open. */
async function withOpenCircuit(options) {
  const env = { ...options.env, DOCKER_HOST: 'unix:///nowhere/docker.sock' };
  const server = start(argus, { ...options, env });
  await server.ask('initialize', hello);
  for (let turn = 0; turn < 10; turn += 1) {
    if (codeOf(await server.ask('tools/call', build)) === 'CIRCUIT_OPEN') return server;
  }
  throw new Error('The circuit does not open');
}

async function refusal(options, atEnd) {
  const server = await withOpenCircuit(options);
  atEnd(() => server.end());
  return async () => {
    let slowest = 0;
    for (const call of [...refused, ...told]) {
      const begun = performance.now();
      const answer = await server.ask('tools/call', call);
      slowest = Math.max(slowest, performance.now() - begun);
      if (!saysSo(call, answer)) throw new Error(`${call.name} says ${codeOf(answer) ?? 'nothing of it'}`);
    }
    return slowest;
  };
}

/** How long an MCP client waits. */
export default {
  title: 'MCP',
  about:
    'From the start of the process to the answer to `initialize`, beside a server on the same SDK with one tool that says hello: as it is written, and bundled into one file as argus-mcp is. And how long the tools that need Docker take to say `CIRCUIT_OPEN`: of each round, the slowest of them.',
  async prepare({ dir, env, signal, atEnd }) {
    writeFileSync(join(dir, 'argus.config.json'), '{ "services": { "api": { "build": "." } } }\n');
    const options = { cwd: dir, env, signal };
    const bundled = await bundle(minimal, dir);
    return {
      tables: [
        {
          title: 'From the start to the first answer',
          rounds: 25,
          warmUps: 3,
          floor: 'a minimal server',
          peers: ['a minimal server, bundled'],
          contestants: {
            'a minimal server': firstAnswer(minimal, options),
            'a minimal server, bundled': firstAnswer(bundled, options),
            'argus-mcp': firstAnswer(argus, options),
          },
          bars: [{ of: 'argus-mcp', to: 'a minimal server', most: 1.4 }],
        },
        {
          title: 'Refusing what needs Docker while its circuit is open',
          rounds: 25,
          contestants: {
            'argus-mcp': await contestant(() => refusal(options, atEnd), { signal }),
          },
          bars: [{ of: 'argus-mcp', slowest: 100 }],
        },
      ],
    };
  },
};
