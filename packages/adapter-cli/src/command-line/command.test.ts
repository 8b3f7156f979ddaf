import { corePlugin, createKernel } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { takeCommand } from './command.js';

const kernel = createKernel({
  project: { name: 'shop', dir: '/' },
  plugins: [{ plugin: corePlugin, options: {}, source: 'core' }],
});
const take = (...words: string[]) => {
  const { command, rest } = takeCommand(kernel, words);
  return [command.operation.name, ...rest];
};

describe('the words of a command', () => {
  it('are its name, or its alias, and what is given to it', () => {
    expect(take('setup', '--guard')).toEqual(['setup', '--guard']);
    expect(take('check', 'list')).toEqual(['preflight-check', 'list']);
    expect(take('fault-inject', 'take-port')).toEqual(['fault-inject', 'take-port']);
  });

  it('can be two for one name', () => {
    expect(take('fault', 'inject', 'take-port')).toEqual(['fault-inject', 'take-port']);
    expect(take('plan', 'recovery')).toEqual(['plan-recovery']);
  });

  it('must be known', () => {
    expect(() => take('fault')).toThrow('there are fault list, fault inject');
    expect(() => take('fault', 'lost')).toThrow('There is no command fault lost; did you mean fault list?');
    expect(() => take('plan')).toThrow('There is no command plan;');
  });
});
