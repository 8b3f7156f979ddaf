import { corePlugin, createKernel } from '@argusai/core';
import orphans from '@argusai/plugin-orphans';
import { describe, expect, it } from 'vitest';
import { suggestedCommands } from './suggested-commands.js';

const kernel = createKernel({
  project: { name: 'demo', dir: '/' },
  plugins: [{ plugin: corePlugin, options: {}, source: 'core' }],
});

describe('suggestedCommands', () => {
  it('fills in what the problem tells', () => {
    const suggestedActions = ['reset-circuit', 'preflight-check'];
    expect(
      suggestedCommands(kernel, { code: 'C', suggestedActions, details: { circuit: 'my docker' } }),
    ).toEqual(["argus reset-circuit 'my docker'", 'argus check']);
    expect(
      suggestedCommands(kernel, { code: 'C', suggestedActions: ['reset-circuit'], details: {} }),
    ).toEqual(['argus reset-circuit']);
    expect(
      suggestedCommands(kernel, { code: 'C', suggestedActions: ['fault-list'], details: {} }),
      'as it is typed',
    ).toEqual(['argus fault list']);
  });

  it('asks for what the one service has printed that the problem is about', () => {
    const problem = { code: 'C', suggestedActions: ['setup', 'logs'], details: { service: 'api' } };
    expect(suggestedCommands(kernel, problem)).toEqual(['argus setup', 'argus logs --service api']);
  });

  it('gives options that are needed, and leaves out a command that would be refused without them', () => {
    const asking = createKernel({
      project: { name: 'demo', dir: '/' },
      plugins: [{ plugin: orphans, options: { maxAge: 1 }, source: 'test' }],
    });
    const suggestedActions = ['clean-foreign'];
    const details = { names: ['process:r1/api', 'volume:my data'] };
    expect(suggestedCommands(asking, { code: 'C', suggestedActions, details })).toEqual([
      "argus clean-foreign --names process:r1/api --names 'volume:my data'",
    ]);
    expect(suggestedCommands(asking, { code: 'C', suggestedActions, details: {} })).toEqual([]);
  });

  it('shows the plan of recoverers that handle the code, once, and of no other', () => {
    const cleaning = createKernel({
      project: { name: 'demo', dir: '/' },
      plugins: [{ plugin: orphans, options: { maxAge: 1 }, source: 'test' }],
    });
    const suggestedActions = ['orphans.clean', 'orphans.clean', 'docker.prune'];
    const commandsFor = (code: string) =>
      suggestedCommands(cleaning, { code, suggestedActions, details: {} }, 'orphans.resources');
    expect(commandsFor('ORPHAN_DETECTED')).toEqual(['argus fix --only orphans.resources']);
    expect(commandsFor('DISK_SPACE_LOW')).toEqual([]);
  });
});
