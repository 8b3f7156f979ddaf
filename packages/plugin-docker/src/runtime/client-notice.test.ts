import { expect, it } from 'vitest';
import { ClientNotice } from './client-notice.js';

it('is the paragraph that the client prints first, and nothing that a build says', () => {
  const notice = new ClientNotice();
  const lines = [
    'DEPRECATED: The legacy builder is deprecated and will be removed in a future release.',
    '            Install the buildx component to build images with BuildKit:',
    '            https://docs.docker.com/go/buildx/',
    '',
  ];
  expect(lines.map((line) => notice.has(line))).toEqual([true, true, true, true]);
  const others = ['DEPRECATED: this flag', '    at main.js:3', '', 'no such file'];
  expect(others.map((line) => notice.has(line))).toEqual([false, false, false, false]);
});
