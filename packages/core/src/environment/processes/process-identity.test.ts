import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ownIdentity, processStart } from './process-identity.js';

describe('the identity of a process', () => {
  it('stays the same as long as it lives', async () => {
    expect(await processStart(process.pid)).toBe(await processStart(process.pid));
    expect(await ownIdentity()).toMatchObject({
      pid: process.pid,
      startedAt: await processStart(process.pid),
    });
  });

  it('differs from that of a process started later, and ends with it', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    await once(child, 'spawn');
    const start = await processStart(child.pid ?? 0);
    expect(start).toBeDefined();
    expect(start).not.toBe(await processStart(process.pid));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await processStart(child.pid ?? 0)).toBeUndefined();
  });

  it('is read for programs with strange names', async () => {
    const child = spawn(process.execPath, ['-e', 'process.title = "a) Z 1 (b"; setTimeout(() => {}, 60000)']);
    await once(child, 'spawn');
    expect(await processStart(child.pid ?? 0)).toBeDefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});
