import type { RunContext, Runtime } from '../environment/runtime.js';
import type { ServiceSpec } from '../environment/service-spec.js';
import { isTapped } from '../hooks/is-tapped.js';
import type { Kernel } from '../kernel/kernel.js';
import { present } from '../kernel/present.js';
import type { Json } from '../model/json.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { withTimeLimit } from '../time/time-limit.js';
import type { Failure } from './failure.js';
import type { Evidence } from './incident.js';

/** How many of a service's last lines are kept. */
export const keptLines = 100;

/** How much of each is kept. */
const keptCharacters = 4_000;

/** How long each part may take: evidence that does not come must not keep the service from coming back. */
const limitMs = { logs: 5_000, memory: 2_000, diagnosis: 15_000 };

/** Gathers what is known of a service that failed, without secrets, before anything is done about it. */
export async function gatherEvidence(
  kernel: Kernel,
  runtime: Runtime,
  service: ServiceSpec,
  failure: Failure,
  context: RunContext,
  tail = keptLines,
): Promise<Evidence> {
  const gaps: string[] = [];
  const attempt = async <Result>(
    what: string,
    ms: number,
    work: (signal: AbortSignal) => Promise<Result>,
  ) => {
    try {
      return await withTimeLimit(kernel.clock, ms, context.signal, 'it did not end', work);
    } catch (thrown) {
      context.signal.throwIfAborted();
      gaps.push(`${what}: ${toStructuredError(thrown, kernel.clock.now()).message}`);
      return undefined;
    }
  };
  const [lines, peak, diagnosis] = await Promise.all([
    attempt('the last lines', limitMs.logs, (signal) => lastLines(runtime, service, context, tail, signal)),
    failure.state.status === 'running'
      ? attempt('the memory', limitMs.memory, async (signal) =>
          runtime.memoryPeak?.(context.run, service.name, signal),
        )
      : undefined,
    // What is paused answers nobody, and why is known.
    failure.kind === 'health' && !failure.state.paused
      ? attempt('the diagnosis', limitMs.diagnosis, (signal) =>
          diagnose(kernel, service, { ...context, signal }),
        )
      : undefined,
  ]);
  const found = { lines: lines ?? [], diagnosis: diagnosis ?? {}, gaps };
  return outline(kernel, service, failure, found, peak);
}

/** What is known of a failure without asking anybody, and what was found out beside it. */
export function outline(
  kernel: Kernel,
  service: ServiceSpec,
  failure: Failure,
  found: Pick<Evidence, 'lines' | 'diagnosis' | 'gaps'> = { lines: [], diagnosis: {}, gaps: [] },
  peak?: number,
): Evidence {
  const { state } = failure;
  const { memory, startedAt, endedAt, exitCode, oomKilled, details = {} } = state;
  const limit = memory?.limit ?? service.memory ?? null;
  return present<Evidence>(kernel, {
    ...{ at: kernel.clock.now(), status: state.status, exitCode: exitCode ?? null },
    oomKilled: failure.kind === 'oom' || oomKilled === true,
    memory: { limit, peak: failure.kind === 'oom' ? limit : (peak ?? null) },
    ...{ startedAt: startedAt ?? null, endedAt: endedAt ?? null },
    health: failure.kind === 'health' ? failure.outputs : (state.healthOutputs ?? []),
    ...{ details, ...found },
  });
}

async function lastLines(
  runtime: Runtime,
  { name }: ServiceSpec,
  { run }: RunContext,
  tail: number,
  signal: AbortSignal,
) {
  const lines: Evidence['lines'][number][] = [];
  const query = { services: [name], tail, follow: false };
  for await (const { stream, text, at } of runtime.logs(run, query, signal)) {
    lines.push({ stream, text: text.slice(0, keptCharacters), ...(at === undefined ? {} : { at }) });
  }
  return lines.slice(-tail);
}

async function diagnose({ hooks }: Kernel, service: ServiceSpec, context: RunContext) {
  const parts: Record<string, Json> = {};
  const report = (part: string, value: Json) => {
    parts[part] = value;
  };
  if (isTapped(hooks.diagnoseService)) await hooks.diagnoseService.promise({ ...context, service, report });
  return parts;
}
