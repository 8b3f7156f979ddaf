import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { property } from '../model/property.js';

const locks = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun', 'bun.lockb': 'bun' };

/** What runs the scripts of a package: what it names itself, or what has locked its dependencies. */
export function packageRunner(dir: string, manifest: unknown): string {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(property(manifest, 'packageManager')))?.[1];
  const locked = Object.entries(locks).find(([lock]) => existsSync(join(dir, lock)))?.[1];
  return named ?? locked ?? 'npm';
}
