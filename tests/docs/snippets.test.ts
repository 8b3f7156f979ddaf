import { describe, expect, it } from 'vitest';
import { allPages, isGenerated } from './pages.js';
import { snippetsOf } from './snippets.js';

/** Pages whose files are written and executed by the tests beside this one. */
const executed = [
  'README.md',
  'docs/guides/in-ci.md',
  'docs/guides/keeping-it-alive.md',
  'docs/guides/ports-and-variables.md',
  'docs/guides/running-tests.md',
  'docs/writing-a-plugin.md',
];

/** What is shown there are the shapes that a decision was about, on its day. */
const decisions = /^docs\/decisions\//;

const pages = allPages.filter(
  (page) => /^(README\.md|CONTRIBUTING\.md|docs\/)/.test(page) && !isGenerated(page),
);

describe('code on a page', () => {
  it('is executed, wherever there is some', () => {
    const withCode = pages.filter((page) => !decisions.test(page) && snippetsOf(page).length > 0);
    expect(withCode.sort()).toEqual([...executed].sort());
  });

  it.each(executed)('of %s is all part of what is executed', (page) => {
    expect(snippetsOf(page).filter(({ file }) => file === undefined)).toEqual([]);
  });
});
