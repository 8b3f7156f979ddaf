import {
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { consentQuestion, type Question, type Request } from '../tools/request.js';

/** How long a person may take, in milliseconds. */
const answerMs = 600_000;

function form({ question: message }: Question) {
  return {
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: { agree: { type: 'boolean' as const, title: 'Do it', default: false } },
      required: ['agree'],
    },
  };
}

/** Puts a question to the person: the client sends the call again with the answer. */
export function questionOf(question: Question): InputRequiredResult {
  const consent = inputRequired.elicit(form(question));
  const state = question.shown === undefined ? {} : { requestState: question.shown };
  return inputRequired({ inputRequests: { [consentQuestion]: consent }, ...state });
}

/** What a call goes on with after the person was asked. */
type Asked = Pick<Request, 'canAsk' | 'answers' | 'shown'>;

/**
 * Puts a question to the person through a client of the older era, which is asked while the call waits. Where it cannot ask after
 * all, the call goes on as with a client that never could; who does not answer has not agreed, nor who may have been asked.
 */
export async function askWhileWaiting({ mcpReq }: ServerContext, question: Question): Promise<Asked> {
  const answered = (answer: unknown) => ({
    canAsk: true,
    answers: { [consentQuestion]: answer },
    shown: question.shown,
  });
  try {
    const params = { mode: 'form', ...form(question) };
    const options = { timeout: answerMs, resetTimeoutOnProgress: true, onprogress: () => undefined };
    return answered(
      await mcpReq.send({ method: 'elicitation/create', params }, { ...options, signal: mcpReq.signal }),
    );
  } catch (thrown) {
    // Whoever has taken the call back is told nothing any more.
    if (mcpReq.signal.aborted) throw thrown;
    return cannotAsk(thrown) ? { canAsk: false } : answered({ action: 'cancel' });
  }
}

/** Only that a client knows no such question tells that nobody was asked: some tell as an error that the person has closed the dialog. */
function cannotAsk(thrown: unknown): boolean {
  if (thrown instanceof ProtocolError) return thrown.code === ProtocolErrorCode.MethodNotFound;
  return thrown instanceof SdkError && thrown.code === SdkErrorCode.CapabilityNotSupported;
}
