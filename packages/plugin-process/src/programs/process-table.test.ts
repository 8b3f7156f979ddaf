import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const table = new URL('./process-table.mjs', import.meta.url).href;

/** What the start of a process is where only `ps` tells, and that does as it is told. */
async function startElsewhere(ps?: string): Promise<string> {
  const bin = await mkdtemp(join(tmpdir(), 'argus-ps-'));
  onTestFinished(() => rm(bin, { recursive: true, force: true }));
  if (ps !== undefined) {
    await writeFile(join(bin, 'ps'), `#!/bin/sh\n${ps}\n`);
    await chmod(join(bin, 'ps'), 0o755);
  }
  const script = `
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    const { startOf } = await import(${JSON.stringify(table)});
    try { console.log(String(startOf(4711))); } catch (error) { console.log('threw'); }`;
  const args = ['--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: bin } });
  return stdout.trim();
}

describe('the process table where only ps tells', () => {
  it('has no process that ps does not list', async () => {
    expect(await startElsewhere('exit 1')).toBe('undefined');
    expect(await startElsewhere('echo " Mon Jan  1 00:00:00 2024"')).toBe('Mon Jan 1 00:00:00 2024');
  });

  it('does not take what could not be looked at for gone', async () => {
    expect(await startElsewhere()).toBe('threw');
    expect(await startElsewhere('exit 2')).toBe('threw');
    expect(await startElsewhere('kill -9 $$')).toBe('threw');
  });
});
