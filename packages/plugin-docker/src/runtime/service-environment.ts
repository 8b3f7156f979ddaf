/** How a command hands variables to a container. */
export interface HandedVariables {
  readonly args: string[];
  /** Variables for the command's own environment, from which the container's are taken. */
  readonly env: Record<string, string>;
}

// What the Docker client, its helpers or the system's loader read themselves: those must keep their own value.
const readByTheClient =
  /^(docker|buildkit|buildx|compose|go|ld|dyld|ssl|ssh|otel|xdg|lc)(_|$)|^(godebug|gomaxprocs|path|home|user|tmpdir|lang|term|shell)$|_proxy$/i;

/**
 * Gives a container its variables. Arguments can be read by every user of the machine, the environment of a process
 * cannot, so values go there wherever the client would not take them as meant for itself.
 */
export function handVariables(variables: Readonly<Record<string, string>>): HandedVariables {
  const args: string[] = [];
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const mayPass = /^[a-z_]\w*$/i.test(name) && !readByTheClient.test(name);
    if (mayPass) env[name] = value;
    args.push('--env', mayPass ? name : `${name}=${value}`);
  }
  return { args, env };
}
