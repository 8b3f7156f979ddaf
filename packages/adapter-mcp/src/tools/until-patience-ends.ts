import type { Answer } from '../answer/answer.js';
import type { Call } from '../session/call.js';
import type { Request } from './request.js';
import { toolName } from './tool-name.js';

/** What never ends by itself is answered as soon as it is under way, in milliseconds. */
const soon = { [toolName('guard')]: 2_000 };

/** Waits for a call as long as its client does. When the client takes it back, the work is stopped and taken back too. */
export async function untilPatienceEnds(
  call: Call,
  { tool, signal }: Request,
  patienceMs: number,
): Promise<Answer> {
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, Math.min(patienceMs, soon[tool] ?? patienceMs), 'late');
  });
  try {
    const first = await Promise.race([call.done, late]);
    // Whoever has cancelled waits for nothing, but what has been begun is still being taken back.
    if (first !== 'late' || signal.aborted || call.answer) return await call.done;
    return pendingOf(call);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function pendingOf(call: Call): Answer {
  call.promise();
  const { runId, tool, step } = call;
  const now = step === undefined ? '' : ` Now: ${step}.`;
  return {
    ok: true,
    pending: { runId, tool, message: `${tool} goes on as ${runId}; it is not done yet.${now}` },
    next: { tool: toolName('status'), arguments: { runId } },
  };
}
