import { expect, it, onTestFinished, vi } from 'vitest';
import { markedProcesses } from './marked-processes.js';

it('does not say that none carry a mark where processes cannot be listed', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', platform);
    vi.unstubAllEnvs();
  });
  expect(await markedProcesses({ MARK: '1' }, 'own-group')).toEqual({ found: [], isUnclear: true });
});
