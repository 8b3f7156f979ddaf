import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiReports } from '../scripts/steps/api-reports.mjs';
import { workspaceRoot } from '../scripts/steps/workspace.mjs';

const folder = join(workspaceRoot, 'docs/api');
const reports = apiReports(workspaceRoot);

describe('the report of the API', () => {
  it('is there for every package that something can be imported from', () => {
    expect(readdirSync(folder).sort()).toEqual([...reports.keys()].sort());
    expect([...reports.keys()]).toContain('core.api.md');
  });

  it.each([...reports])('%s is as what was built', (name, text) => {
    const hint = 'the API has changed: if that is meant, npm run api renews docs/api';
    expect(readFileSync(join(folder, name), 'utf8'), hint).toBe(text);
  });

  it('tells what is exported, what that refers to, and no comments', () => {
    const core = reports.get('core.api.md') ?? '';
    expect(core).toContain(
      'function definePlugin<Options extends z.ZodType>(plugin: Plugin<Options>): Plugin<Options>;',
    );
    expect(core).toContain('## `@argusai/core/testing`');
    expect(core).toMatch(/Not exported, but what the above refers to:\n\n```ts\n/);
    expect(core).not.toMatch(/\/\*\*|undefined\n\n/);
  });

  it('names types as their users do, so that a file may move', () => {
    expect([...reports.values()].join('\n')).not.toContain('import("');
    expect(reports.get('core.api.md')).toContain('const checkBroken: ErrorCode<"CHECK_BROKEN", {');
    expect(reports.get('plugin-disk.api.md')).toContain('threshold: z.ZodOptional<Quantity>;');
  });
});
