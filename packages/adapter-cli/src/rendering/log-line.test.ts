import { expect, it } from 'vitest';
import { paint } from './line.js';
import { logLine } from './log-line.js';

it('puts the service in front of what it printed, with complaints in another colour', () => {
  const line = { service: 'api', stream: 'stdout', text: 'listens\x1b[2J' } as const;
  expect(paint([logLine(line)], { color: false })).toBe('api | listens\n');
  expect(paint([logLine(line)], { color: true })).toBe('\x1b[36mapi | \x1b[39mlistens\n');
  expect(paint([logLine({ ...line, stream: 'stderr' })], { color: true })).toContain('\x1b[33mapi | ');
});
