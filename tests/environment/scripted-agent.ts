import type { Called, TestClient } from '../../packages/adapter-mcp/src/fixtures/clients.js';

interface Step {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What an agent did, call by call. */
export interface Journey {
  readonly calls: readonly string[];
  readonly isHealthy: boolean;
}

/**
 * An agent without any knowledge of argus: it follows what answers suggest, and where they suggest nothing, what the description of
 * the tool that it has just called names as next. It tries nothing twice that did not help, and gives up after so many calls.
 */
export async function bringToHealthy(client: TestClient, limit: number): Promise<Journey> {
  const { tools } = await client.listTools();
  const descriptions = new Map(tools.map(({ name, description }) => [name, String(description)]));
  const calls: string[] = [];
  const tried = new Map<string, number>();
  let step: Step | undefined = { tool: 'argus_preflight_check', arguments: {} };
  while (step && calls.length < limit) {
    const { tool, arguments: args }: Step = step;
    const answer = await client.call(tool, args);
    calls.push(`${tool} ${JSON.stringify(args)}: ${answer.text.split('\n')[0]?.slice(0, 200)}`);
    if (answer.escalate) break;
    if (tool === 'argus_status' && isWell(answer)) return { calls, isHealthy: true };
    step = choices(answer, tool, descriptions).find((one) => {
      const key = JSON.stringify(one);
      const count = (tried.get(key) ?? 0) + 1;
      tried.set(key, count);
      return count <= 3;
    });
  }
  return { calls, isHealthy: false };
}

function isWell({ ok, data }: Called): boolean {
  const { run, services } = (data ?? {}) as {
    run?: { state: string } | null;
    services?: { status: string; health: string }[];
  };
  const isUp = ok && run?.state === 'up';
  return (
    isUp && services?.every(({ status, health }) => status === 'running' && health === 'healthy') === true
  );
}

/** What could be done now, best first: the next call, the suggested actions, and what the description says. */
function choices({ next, error }: Called, tool: string, descriptions: ReadonlyMap<string, string>): Step[] {
  const suggested = (error?.suggestedActions ?? []).map((action) => stepOf(action));
  const named = [...(descriptions.get(tool) ?? '').matchAll(/[Nn]ext: (argus_\w+)/g)].map(
    ([, name = '']) => ({
      tool: name,
      arguments: {},
    }),
  );
  const known = [...(next ? [next] : []), ...suggested, ...named, { tool: 'argus_setup', arguments: {} }];
  return known.filter((one) => descriptions.has(one.tool));
}

/** A suggested action as a call, as the instructions of the server say. */
function stepOf(action: string): Step {
  const tool = action.includes('.') ? 'argus_plan_recovery' : `argus_${action.replaceAll('-', '_')}`;
  return { tool, arguments: {} };
}
