import { isatty } from 'node:tty';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Interruption } from '../io.js';
import { commandStreams } from './command-streams.js';

/** Which of our own streams were opened, in order. */
function watchOpening(): string[] {
  const opened: string[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    const before = Object.getOwnPropertyDescriptor(process, name);
    const get = () => {
      opened.push(name);
      return before?.get?.call(process) ?? before?.value;
    };
    Object.defineProperty(process, name, { configurable: true, get });
    onTestFinished(() => void Object.defineProperty(process, name, before ?? {}));
  }
  return opened;
}

const never = new Promise<Interruption>(() => undefined);

describe('the streams of a command', () => {
  it('are ours as they are, or both stderr where stdout is for programs', () => {
    const streams = commandStreams(never);
    expect(streams(false).stdio).toEqual(['inherit', 'inherit', 'inherit']);
    expect(streams(true).stdio).toEqual(['inherit', 2, 'inherit']);
  });

  it('are opened by us before the command is started, never while it runs', () => {
    const opened = watchOpening();
    const streams = commandStreams(never)(false);
    expect(opened).toEqual([]);
    expect(streams.stdio).toHaveLength(3);
    expect(opened).toEqual(['stdout', 'stderr']);
  });
});

describe('a command that is cancelled', () => {
  const signal = (name: string) => ({ kind: 'signal', name, number: 2 }) as const;
  const told = async (interruption: Interruption) => {
    const streams = commandStreams(Promise.resolve(interruption))(false);
    await Promise.resolve();
    return streams.isToldToo();
  };

  it('was told by nobody else than us, unless a terminal did it', async () => {
    const onTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
    expect(await told(signal('SIGINT'))).toBe(onTerminal);
    expect(await told(signal('SIGTERM'))).toBe(false);
    expect(await told({ kind: 'crash', thrown: new Error('x') })).toBe(false);
    expect(commandStreams(never)(false).isToldToo()).toBe(false);
  });
});
