const variable = 'ARGUS_MCP_WORKER';

/** The environment of a process that does the work of another one. Who may come is none of its business, nor of what it starts. */
export function workerEnv({ ARGUS_MCP_TOKEN: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, [variable]: '1' };
}

/** Whether this process was started to work for another one. What it starts itself works for nobody. */
export function isWorker(env: NodeJS.ProcessEnv): boolean {
  const is = env[variable] === '1' && process.send !== undefined;
  delete env[variable];
  return is;
}
