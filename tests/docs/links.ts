import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { repository } from '../support/run-command.js';
import { textOf } from './pages.js';

/** What is wrong with the links of a page that stay in the repository. */
export function brokenLinks(page: string): string[] {
  return linksOf(textOf(page)).flatMap((link) => {
    const [path = '', heading] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (target.startsWith('..')) return [`${link} leads out of the repository`];
    if (!existsSync(join(repository, target))) return [`${link} leads nowhere`];
    if (heading === undefined) return [];
    return isFile(target) && headingsOf(textOf(target)).includes(heading)
      ? []
      : [`${link} has no such heading`];
  });
}

/** Where links and pictures of a text lead, but for other sites. What is code is no link. */
export function linksOf(text: string): string[] {
  const links = withoutCode(text).matchAll(/\]\(([^()\s]+)\)/g);
  return [...links].map(([, link = '']) => link).filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

/** The names by which the headings of a page can be linked to, as GitHub makes them. */
export function headingsOf(text: string): string[] {
  const titles = [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => slugOf(title));
  return titles.map((slug, at) => {
    const before = titles.slice(0, at).filter((one) => one === slug).length;
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

function slugOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function withoutCode(text: string): string {
  // A link may have code for its text, so only the code goes.
  return withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/^ {4}.*$/gm, '');
}

function isFile(target: string): boolean {
  return statSync(join(repository, target)).isFile();
}
