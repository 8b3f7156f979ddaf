import { diagnose } from '../../environment/health/diagnose.js';
import type { RunContext, Runtime } from '../../environment/runtime.js';
import type { ServiceSpec } from '../../environment/services/service-spec.js';
import type { Kernel } from '../../kernel/kernel.js';
import { present } from '../../kernel/present.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { withTimeLimit } from '../../time/time-limit.js';
import type { Evidence } from '../incidents/incident.js';
import type { Failure } from '../watch/failure.js';
import { linesWithin, type Span, type Which } from './lines-within.js';

/** How many of a service's last lines are kept. */
const keptLines = 100;

/** How much of each is kept. */
const keptCharacters = 4_000;

/** How long each part may take: evidence that does not come must not keep the service from coming back. */
const limitMs = { logs: 5_000, memory: 2_000 };

/** Gathers what is known of a service that failed, without secrets, before anything is done about it. */
export async function gatherEvidence(
  kernel: Kernel,
  runtime: Runtime,
  service: ServiceSpec,
  failure: Failure,
  context: RunContext,
  span?: Span,
): Promise<Evidence> {
  const [said, memory, known] = await Promise.all([
    tryLines(kernel, runtime, service, context, span),
    failure.state.status === 'running' ? tryMemory(kernel, runtime, service, context) : undefined,
    // What is paused answers nobody, and why is known.
    failure.kind === 'health' && !failure.state.paused ? diagnose(kernel, service, context) : undefined,
  ]);
  const gaps = [said.gap, memory?.gap, known?.gap && `the diagnosis: ${known.gap}`].filter(
    (gap) => gap !== undefined,
  );
  const suggestedActions = known?.actions ?? [];
  const found = {
    lines: said.lines,
    diagnosis: known?.parts ?? {},
    gaps,
    ...(suggestedActions.length > 0 ? { suggestedActions } : {}),
  };
  return outline(kernel, service, failure, found, memory?.peak);
}

/** What is known of a failure without asking anybody, and what was found out beside it. */
export function outline(
  kernel: Kernel,
  service: ServiceSpec,
  failure: Failure,
  found: Pick<Evidence, 'lines' | 'diagnosis' | 'gaps' | 'suggestedActions'> = {
    lines: [],
    diagnosis: {},
    gaps: [],
  },
  peak?: number,
): Evidence {
  const { state } = failure;
  const { memory, startedAt, endedAt, exitCode, details = {} } = state;
  const limit = memory?.limit ?? service.memory ?? null;
  return present<Evidence>(kernel, {
    at: kernel.clock.now(),
    status: state.status,
    exitCode: exitCode ?? null,
    // Not what the runtime says of it, which may be about an earlier start.
    oomKilled: failure.kind === 'oom',
    memory: { limit, peak: failure.kind === 'oom' ? limit : (peak ?? null) },
    startedAt: startedAt ?? null,
    endedAt: endedAt ?? null,
    health: failure.kind === 'health' ? failure.outputs : (state.healthOutputs ?? []),
    details,
    ...found,
  });
}

async function tryLines(
  kernel: Kernel,
  runtime: Runtime,
  service: ServiceSpec,
  context: RunContext,
  span: Span | undefined,
): Promise<{ readonly lines: Evidence['lines']; readonly gap?: string }> {
  const { clock } = kernel;
  const read = async (query: Which) => {
    const all = (signal: AbortSignal) => lastLines(kernel, runtime, service, context, query, signal);
    try {
      return { lines: await withTimeLimit(clock, limitMs.logs, context.signal, 'it did not end', all) };
    } catch (thrown) {
      context.signal.throwIfAborted();
      return { lines: [], gap: `the last lines: ${toStructuredError(thrown, clock.now()).message}` };
    }
  };
  return span ? linesWithin(span, keptLines, read) : read({ tail: keptLines });
}

async function tryMemory(
  { clock }: Kernel,
  runtime: Runtime,
  { name }: ServiceSpec,
  { run, signal }: RunContext,
): Promise<{ readonly peak?: number; readonly gap?: string }> {
  try {
    const ask = async (limited: AbortSignal) => runtime.memoryPeak?.(run, name, limited);
    const peak = await withTimeLimit(clock, limitMs.memory, signal, 'it did not end', ask);
    return peak === undefined ? {} : { peak };
  } catch (thrown) {
    signal.throwIfAborted();
    return { gap: `the memory: ${toStructuredError(thrown, clock.now()).message}` };
  }
}

async function lastLines(
  { redactor }: Kernel,
  runtime: Runtime,
  { name }: ServiceSpec,
  { run }: RunContext,
  which: Which,
  signal: AbortSignal,
) {
  const lines: Evidence['lines'][number][] = [];
  const query = { services: [name], ...which, follow: false };
  for await (const { stream, text, at } of runtime.logs(run, query, signal)) {
    // Only a line that is cut by itself: that another is of a key may show only by those around it.
    const kept = text.length <= keptCharacters ? text : redactor.first(text, keptCharacters);
    lines.push({ stream, text: kept, ...(at === undefined ? {} : { at }) });
  }
  return lines.slice(-which.tail);
}
