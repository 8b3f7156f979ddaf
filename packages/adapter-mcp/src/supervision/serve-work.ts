import { openError } from '@argusai/core';
import type { McpOptions } from '../command-line/options.js';
import type { Start } from '../process/run-mcp.js';
import { tellEarlyEnd } from '../process/tell-early-end.js';
import { projectFolders } from '../project/project-folders.js';
import { Call } from '../session/call.js';
import { Session } from '../session/session.js';
import { offerOf } from '../tools/offer-of.js';
import { UnknownTool } from '../tools/request.js';
import { beat } from './heartbeat.js';
import type { Ask, FromWorker, ToWorker } from './messages.js';

/** How long taking everything back may take when the client has gone, in milliseconds. */
const lastMs = 180_000;

/** Does the work that the process above asks for, and ends when that goes away or says so. */
export async function serveWork(options: McpOptions, { version, program }: Start): Promise<void> {
  const log = (line: string) => void process.stderr.write(`argus-mcp: ${line}\n`);
  const tell = (message: FromWorker) => void (process.connected && process.send?.(message));
  const { readOnly, patienceMs } = options;
  const session = new Session({
    readOnly,
    patienceMs,
    version,
    log,
    env: process.env,
    secrets: new Set(),
    guardian: program,
    folders: projectFolders(options, process.env, process.cwd()),
  });
  session.code.onChange = tell;
  const tellLost = (thrown: unknown) => {
    const { message } = openError(thrown, process.env, session.surroundings.secrets);
    log(`left unhandled by a plugin: ${message}`);
  };
  // A plugin that lets something slip must not cost everybody else's calls. As on the command line they tell of a crash, while a
  // rejection that nobody waits for is only logged.
  process.on('uncaughtException', (thrown) => {
    session.crashed(thrown);
    tellLost(thrown);
  });
  process.on('unhandledRejection', tellLost);
  const isOver = tellEarlyEnd(session);
  beat(options.silenceMs);
  await asked(session, tell);
  isOver();
  setTimeout(() => process.exit(1), lastMs).unref();
  await session.end();
  process.exit(0);
}

/** Answers until nobody asks any more. */
function asked(session: Session, tell: (message: FromWorker) => void): Promise<void> {
  const calls = new Map<number, AbortController>();
  const answer = async (id: number, ask: Ask) => {
    const stop = new AbortController();
    calls.set(id, stop);
    try {
      const result = await done(session, ask, stop.signal, (step) => tell({ id, step }));
      // With the answer: to ask for it afterwards could find this process blocked.
      if (ask.to === 'callTool' && session.takeNews()) tell({ news: true });
      tell({ id, result });
    } catch (thrown) {
      if (thrown instanceof UnknownTool) tell({ id, unknownTool: thrown.message });
      else tell({ id, failure: openError(thrown, process.env, session.surroundings.secrets).message });
    } finally {
      calls.delete(id);
    }
  };
  return new Promise((resolve) => {
    process.once('disconnect', resolve);
    process.on('message', (message: ToWorker) => {
      if ('ask' in message) void answer(message.id, message.ask);
      else if ('cancel' in message) calls.get(message.cancel)?.abort();
      else if ('lost' in message)
        for (const { runId, tool, answer } of message.lost) session.over(new Call(tool, runId), answer);
      else if ('ping' in message) tell({ underWay: session.underWayOrGuarded });
      else {
        // Before the calls are cancelled one by one, which could not say why.
        session.leave();
        resolve();
      }
    });
  });
}

function done(
  session: Session,
  ask: Ask,
  signal: AbortSignal,
  onStep: (step: string) => void,
): Promise<unknown> {
  const offer = offerOf(session);
  switch (ask.to) {
    case 'callTool': {
      const { tellsSteps, ...request } = ask.request;
      return offer.callTool({ ...request, signal, ...(tellsSteps ? { onStep } : {}) });
    }
    case 'readResource':
      return offer.readResource(ask.uri);
    default:
      return offer[ask.to]();
  }
}
