import { describe, expect, it } from 'vitest';
import { linked, understandsLinks } from './hyperlink.js';
import { cut, paint } from './line.js';

const url = 'http://localhost:80';
const asLink = `\x1b]8;;${url}\x1b\\${url}\x1b]8;;\x1b\\`;

describe('a link', () => {
  it('leads to its address where the terminal understands it, and is plain text elsewhere', () => {
    expect(paint([[[url, 'cyan', url]]], { color: false, links: true })).toBe(`${asLink}\n`);
    expect(paint([[[url, 'cyan', url]]], { color: false })).toBe(`${url}\n`);
  });

  it('still leads there when its text is cut', () => {
    expect(paint([cut([[url, 'cyan', url]], 8)], { color: false, links: true })).toContain(
      `;;${url}\x1b\\http://`,
    );
  });

  it('is made of web addresses only, without anything that a terminal would obey', () => {
    for (const other of ['udp://localhost:80', 'file:///etc/passwd', 'http://x\x07y', 'http://x y', ''])
      expect(linked('text', other)).toBe('text');
  });
});

describe('a terminal', () => {
  it.each([
    { VTE_VERSION: '6003' },
    { TERM_PROGRAM: 'iTerm.app' },
    { WT_SESSION: 'x' },
    { TERM: 'xterm-kitty' },
    { FORCE_HYPERLINK: '1', TERM: 'dumb' },
  ])('is known to understand links: %j', (env) => {
    expect(understandsLinks(env)).toBe(true);
  });

  it.each([
    {},
    { TERM: 'xterm-256color' },
    { VTE_VERSION: '4205' },
    { VTE_VERSION: '6003', TMUX: '/tmp/x' },
    { TERM_PROGRAM: 'iTerm.app', CI: '1' },
    { TERM_PROGRAM: 'iTerm.app', FORCE_HYPERLINK: '0' },
  ])('is not known to: %j', (env) => {
    expect(understandsLinks(env)).toBe(false);
  });
});
