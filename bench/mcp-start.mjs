/**
 * How long an MCP client waits for the first answer of argus-mcp, from the start of the process, beside a minimal server on the same
 * SDK (bar: 1.4 times), and how long a tool that needs Docker takes to say CIRCUIT_OPEN (bar: 100 ms). Exits with 1 when one is
 * missed. Build first.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median } from './interleave.mjs';

const ROUNDS = 20;
const WARM_UPS = 3;
const BAR = 1.4;
const CIRCUIT_BAR_MS = 100;

const bench = fileURLToPath(new URL('.', import.meta.url));
const argus = join(bench, '..', 'packages', 'adapter-mcp', 'dist', 'argus-mcp.js');
const temporary = mkdtempSync(join(tmpdir(), 'argus-mcp-start-'));
const contestants = { 'a minimal server': join(bench, 'programs', 'minimal-mcp.mjs'), 'argus-mcp': argus };

/** Starts a server that is asked line by line. */
function start(program, more = {}) {
  // A setting that makes every start of Node slower, whatever is started.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = {
    ...process.env,
    ARGUS_STATE_DIR: join(temporary, 'state'),
    ...more,
  };
  const child = spawn(process.execPath, [program], {
    cwd: temporary,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
  });
  let last = 0;
  const ask = (method, params) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    });
  const end = () => {
    child.stdin.end();
    return new Promise((resolve) => child.once('close', resolve));
  };
  return { ask, end };
}

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

async function firstAnswer(program) {
  const begun = process.hrtime.bigint();
  const server = start(program);
  await server.ask('initialize', hello);
  const taken = Number(process.hrtime.bigint() - begun) / 1e6;
  await server.end();
  return taken;
}

async function circuitOpen() {
  const server = start(argus, { DOCKER_HOST: 'unix:///nowhere/docker.sock' });
  await server.ask('initialize', hello);
  const call = async () => {
    const begun = process.hrtime.bigint();
    const result = await server.ask('tools/call', { name: 'argus_build', arguments: {} });
    const { error } = result.structuredContent;
    return { ms: Number(process.hrtime.bigint() - begun) / 1e6, code: error?.code };
  };
  let turns = 0;
  while ((await call()).code !== 'CIRCUIT_OPEN') {
    turns += 1;
    if (turns > 10) throw new Error('The circuit does not open');
  }
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ms, code } = await call();
    if (code !== 'CIRCUIT_OPEN') throw new Error(`It says ${code}`);
    times.push(ms);
  }
  await server.end();
  return times;
}

try {
  writeFileSync(join(temporary, 'argus.config.json'), '{ "services": { "api": { "build": "." } } }\n');
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (const [name, program] of Object.entries(contestants)) {
      const taken = await firstAnswer(program);
      if (round >= 0) times[name].push(taken);
    }
  }
  const base = median(times['a minimal server']);
  console.log(`From the start to the first answer, median of ${ROUNDS}, taken in turn`);
  for (const name of Object.keys(contestants)) {
    const ms = median(times[name]);
    const verdict = name === 'argus-mcp' ? `, bar ${BAR}: ${ms / base <= BAR ? 'holds' : 'misses'}` : '';
    console.log(
      `  ${name.padEnd(18)} ${ms.toFixed(1).padStart(6)} ms  ${(ms / base).toFixed(2)} ×${verdict}`,
    );
    if (name === 'argus-mcp' && ms / base > BAR) process.exitCode = 1;
  }
  const refusals = await circuitOpen();
  const slowest = Math.max(...refusals);
  const verdict = slowest <= CIRCUIT_BAR_MS ? 'holds' : 'misses';
  console.log(
    `CIRCUIT_OPEN, ${ROUNDS} calls: median ${median(refusals).toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms`,
  );
  console.log(`  bar ${CIRCUIT_BAR_MS} ms for every one: ${verdict}`);
  if (slowest > CIRCUIT_BAR_MS) process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
