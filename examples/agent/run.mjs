// An agent without a model: it wants the environment up, and does what the answers of argus tell it to do next. With a model in its
// place the tools, the answers and the consent are the same.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../../packages/adapter-cli/dist/argus.js', import.meta.url));
const priceList = `${cwd}/prices.json`;

const client = new Client({ name: 'example-agent', version: '1.0.0' });
const call = async ({ tool, arguments: args = {} }) => {
  const { structuredContent } = await client.callTool({ name: tool, arguments: args });
  const { ok, error } = structuredContent;
  console.log(`${tool} ${JSON.stringify(args)}: ${ok ? 'ok' : `${error.code}: ${error.message}`}`);
  return structuredContent;
};

/** Stands for the person in front of a host, who reads what would be done and decides. This one agrees to everything. */
function askPerson(question, steps) {
  console.log(
    `${question}\n${steps.map(({ description }) => `- ${description}`).join('\n')}\nThe person says: yes`,
  );
  return true;
}

/** Shows the person what would be done, and does it only after their yes: a model never agrees in their place. */
async function withConsent(wanted, { next, human }) {
  const { data, human: reason } = await call(next);
  if (data.steps.every(({ outcome }) => outcome === 'refused')) throw new Error(reason);
  if (!askPerson(human, data.steps)) throw new Error('The person said no');
  return call({ tool: wanted.tool, arguments: { ...wanted.arguments, confirm: true } });
}

/** Follows the answers until the environment is up, or until they say that a person has to go on. */
async function bringUp() {
  const goal = { tool: 'argus_setup' };
  let next = goal;
  for (let turn = 0; turn < 10; turn += 1) {
    let answer = await call(next);
    if (answer.error?.code === 'CONFIRMATION_REQUIRED') answer = await withConsent(next, answer);
    if (answer.ok && next.tool === goal.tool) return answer.data;
    if (answer.escalate || (answer.human && !answer.next)) throw new Error(answer.human);
    next = answer.next ?? goal;
  }
  throw new Error('There was always something else to do');
}

// Broken on purpose: the service cannot start without its list of prices.
rmSync(priceList, { force: true });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], cwd, env: process.env }),
);
try {
  const { services } = await bringUp();
  const { data } = await call({ tool: 'argus_preflight_check' });
  console.log(`${services.map(({ name, status }) => `${name} is ${status}`).join(', ')}; ${data.overall}`);
  process.exitCode = data.overall === 'healthy' ? 0 : 1;
} catch ({ message }) {
  console.error(`It did not come up. ${message}`);
  process.exitCode = 1;
} finally {
  // Not a wish of the agent: whoever runs the example has all of it taken down.
  const { hash } = await call({ tool: 'argus_clean', arguments: { dryRun: true } });
  await call({ tool: 'argus_clean', arguments: { confirm: true, hash } });
  await client.close();
  rmSync(priceList, { force: true });
}
