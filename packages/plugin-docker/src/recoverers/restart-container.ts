import {
  type ArgusConfig,
  argumentList,
  containerCrash,
  containerOom,
  defineRecoverer,
  healthCheckTimeout,
  isMeantToStay,
  type Redactor,
  type StepResult,
  type StructuredError,
  toStructuredError,
} from '@argusai/core';
import { diagnose, healthOutputs } from '../containers/diagnose.js';
import { lastWords } from '../containers/last-words.js';
import {
  type ContainerParts,
  type ProjectContainer,
  projectContainers,
} from '../containers/project-containers.js';
import { settled } from '../containers/settled.js';

/** How many lines of its output are kept before a container is touched. */
const keptLines = 100;
/** A container may take its time to stop, which the engine ends after ten seconds. */
const restartMs = 60_000;

/** What the recoverer works with. */
export interface RestartParts extends ContainerParts {
  readonly config: Pick<ArgusConfig, 'services' | 'mocks'>;
  readonly redactor: Pick<Redactor, 'first'>;
}

/** Why, in words that stay the same while nothing changes: a plan whose words count tries is another one after each. */
function why({ code, message }: StructuredError): string {
  return code === healthCheckTimeout.code ? 'its health check fails, or it is paused' : message;
}

/** Makes `docker.restart-container`: restarts containers of this project's environment that do not work. */
export function restartContainerRecoverer(parts: RestartParts) {
  const { client } = parts;

  /** Starts a container again, unless that was done since the plan was made. */
  async function restart(
    container: ProjectContainer | undefined,
    name: string,
    startedAt: unknown,
    signal: AbortSignal,
  ) {
    if (!container) throw new Error(`${name} is no longer a container of this project's environment`);
    if (container.state.StartedAt !== startedAt) return;
    await client.run(argumentList(['restart'], {}, [container.id]), {
      signal,
      timeoutMs: restartMs,
      service: container.service,
    });
    await settled(client, container.id, { clock: parts.clock, signal });
  }

  return defineRecoverer({
    name: 'docker.restart-container',
    description: "Restarts containers of this project's environment that have ended or are not well",
    handles: [containerOom, containerCrash, healthCheckTimeout],
    risk: 'disruptive',

    async plan({ findings, project, signal }) {
      const targets = new Set(findings.map(({ check }) => check.target));
      // Processes end and fail too, with the same codes, in projects that have no engine.
      if (![...targets].some((target) => target?.startsWith('container:'))) return [];
      const containers = await projectContainers(parts, project, signal);
      return containers.flatMap((container) => {
        const { id, name, service, state } = container;
        const target = `container:${name}`;
        const meantToStay = isMeantToStay(parts.config, service);
        const error = diagnose(container, { meantToStay, now: parts.clock.now(), redactor: parts.redactor });
        if (!error || !targets.has(target)) return [];
        return [
          {
            target,
            service,
            action: 'restart',
            description: `Restart ${name}, the container of ${service}: ${why(error)}`,
            reversible: false,
            resolves: [target],
            // The start that went wrong: a container that was started since then is not started again.
            data: { id, startedAt: state.StartedAt },
          },
        ];
      });
    },

    async evidence({ data }, { project, signal }) {
      const containers = await projectContainers(parts, project, signal);
      const container = containers.find(({ id }) => id === data?.id);
      if (!container) return {};
      const { id, name, state, memoryLimit } = container;
      return {
        container: name,
        id,
        status: state.Status,
        exitCode: state.Running ? null : state.ExitCode,
        oomKilled: state.OOMKilled,
        memoryLimit,
        startedAt: state.StartedAt,
        finishedAt: state.FinishedAt,
        health: healthOutputs(container, parts.redactor),
        logs: await lastWords(client, id, { count: keptLines, signal }),
      };
    },

    async apply({ steps, project, signal }) {
      const containers = await projectContainers(parts, project, signal);
      return Promise.all(
        steps.map(async ({ target, data }): Promise<StepResult> => {
          try {
            const container = containers.find(({ id }) => id === data?.id);
            await restart(container, target, data?.startedAt, signal);
            return { target, applied: true };
          } catch (thrown) {
            return { target, applied: false, error: toStructuredError(thrown, parts.clock.now()) };
          }
        }),
      );
    },
  });
}
