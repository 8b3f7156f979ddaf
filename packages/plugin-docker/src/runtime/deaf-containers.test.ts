import { expect, it } from 'vitest';
import { isDeaf } from './deaf-containers.js';

const status = (masks: Partial<Record<'SigBlk' | 'SigIgn' | 'SigCgt', string>>, inner = '4711\t1') => {
  const all = { SigBlk: '0', SigIgn: '0', SigCgt: '0', ...masks };
  const lines = Object.entries(all).map(([name, mask]) => `${name}:\t${mask.padStart(16, '0')}`);
  return [`Name:\tsh`, `NSpid:\t${inner}`, ...lines, ''].join('\n');
};
const sigterm = '4000';

it('the first process of a namespace does not hear a SIGTERM that it does nothing about', () => {
  expect(isDeaf(status({}))).toBe(true);
  expect(isDeaf(status({ SigCgt: '10002' }))).toBe(true);
});

it.each([
  ['handles it', status({ SigCgt: sigterm })],
  ['ignores it on purpose', status({ SigIgn: sigterm })],
  ['waits for it, as an init does', status({ SigBlk: sigterm })],
  ['is not the first', status({}, '4711\t7')],
  ['is in no namespace of its own, or one that does not say', status({}, '1')],
  ['shows nothing', ''],
])('one is waited for that %s', (_, text) => {
  expect(isDeaf(text)).toBe(false);
});
