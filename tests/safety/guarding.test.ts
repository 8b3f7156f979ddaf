import { describe, expect, it } from 'vitest';
import { freePorts, processProject, serverOn } from '../environment/process-project.js';

const timeout = 120_000;

/** What is read here of what was started in the background. */
interface Guarded {
  readonly guardian?: { readonly pid: number; readonly alive?: boolean; readonly silentMs?: number };
}

describe('a guardian that does nothing', () => {
  it('is told of by a check and a status once it is stopped, and a setup starts another', {
    timeout,
  }, async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { api: serverOn(port) } });
    const up = (await project.argus('setup', '--guard')).data as unknown as Guarded;
    const pid = up.guardian?.pid ?? 0;
    const notices = async () => (await project.argus('check')).data.notices;
    expect(await notices()).toEqual([]);
    process.kill(pid, 'SIGSTOP');
    while ((await notices()).length === 0) await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await notices()).toMatchObject([
      {
        code: 'GUARDIAN_GONE',
        message: expect.stringMatching(/has given no sign of life for \d+ s$/),
        details: { pid, reason: 'silent' },
        suggestedActions: ['setup'],
      },
    ]);
    const status = (await project.argus('status')).data as unknown as Guarded;
    expect(status.guardian).toMatchObject({ pid, alive: true, silentMs: expect.any(Number) });
    const again = (await project.argus('setup', '--guard')).data as unknown as Guarded;
    expect([0, pid]).not.toContain(again.guardian?.pid ?? 0);
    expect(await notices()).toEqual([]);
    await project.argus('clean');
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });
});
