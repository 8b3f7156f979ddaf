import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';

interface Written extends Prompt {
  readonly text: string;
  /** It needs tools that change something. */
  readonly changes: boolean;
}

const written: readonly Written[] = [
  {
    name: 'bring-up',
    changes: true,
    title: 'Bring this environment up',
    description:
      'Check the environment, repair what can be repaired, bring the services up, and say where they are',
    text: `Bring the environment of this project up.
1. Call argus_preflight_check. If it is not healthy, call argus_plan_recovery, tell me what it would do, and carry it out with argus_apply_recovery.
2. Call argus_setup. If it fails, do what next says; if escalate is true, stop and tell me what human and next say.
3. Call argus_status and tell me in a few lines where each service can be reached and how it is.`,
  },
  {
    name: 'why-unhealthy',
    changes: false,
    title: 'Why is it unhealthy?',
    description: 'Find out what is wrong with the environment, without changing anything',
    text: `Find out why the environment of this project is not healthy. Change nothing.
1. Call argus_status and argus_preflight_check.
2. For each service that is not running or not healthy call argus_incidents and argus_logs with a small tail; for each code that you do not know call argus_explain.
3. Tell me the cause, what shows it, and what you would do about it: which tool, or what only I can do. What could not be looked at is unknown and not healthy.`,
  },
];

/** What people can pick; of a server that changes nothing, what it can do. */
export function promptsOf(readOnly: boolean): Prompt[] {
  return offered(readOnly).map(({ text: _, changes: __, ...prompt }) => prompt);
}

function offered(readOnly: boolean): readonly Written[] {
  return written.filter(({ changes }) => !(readOnly && changes));
}

/** A prompt by its name. */
export function promptNamed(name: string, readOnly: boolean): GetPromptResult | undefined {
  const found = offered(readOnly).find((prompt) => prompt.name === name);
  if (!found) return undefined;
  const { description = '', text } = found;
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
