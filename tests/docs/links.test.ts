import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenLinks, headingsOf, linksOf } from './links.js';
import { allPages, isGenerated, textOf } from './pages.js';

describe('the links of', () => {
  it.each(allPages)('%s lead to files and headings that are there', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });
});

describe('the entrance to the documentation', () => {
  it('leads to every page but those of which there is one for each code, choice and package', () => {
    const entrance = 'docs/README.md';
    const reached = linksOf(textOf(entrance)).map((link) =>
      normalize(join(dirname(entrance), link.replace(/#.*/, ''))),
    );
    const expected = allPages.filter(
      (page) =>
        page.startsWith('docs/') && !/\/(api|decisions|errors)\/(?!README)/.test(page) && page !== entrance,
    );
    expect(reached).toEqual(expect.arrayContaining(expected));
    expect(reached).toEqual(expect.arrayContaining(['docs/api', 'docs/decisions']));
  });
});

describe('reading links', () => {
  it('takes those in texts, and none in code or to other sites', () => {
    const text =
      'See [`a`](a.md#b), ![c](c.svg) and [d](https://d.example).\n\n    [e](e.md)\n\n`[f](f.md)`\n';
    expect(linksOf(text)).toEqual(['a.md#b', 'c.svg']);
  });

  it('knows headings by the names that they have in links', () => {
    expect(headingsOf('# What it `does`\n\n## argus fix\n\n## argus fix\n\n```\n# no\n```\n')).toEqual([
      'what-it-does',
      'argus-fix',
      'argus-fix-1',
    ]);
  });

  it('has pages of every kind to look at', () => {
    expect(allPages).toEqual(
      expect.arrayContaining(['README.md', 'packages/core/README.md', 'docs/concepts.md']),
    );
    expect(allPages.some(isGenerated)).toBe(true);
  });
});
