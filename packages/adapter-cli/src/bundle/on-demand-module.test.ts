import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { Esbuild } from './esbuild.js';
import { onDemandModule } from './on-demand-module.js';

// The one that tsup brings along.
const require = createRequire(import.meta.url);
const { transform }: Esbuild = createRequire(require.resolve('tsup'))('esbuild');

/** Evaluates a module beside others, and tells which of them it asked for. */
async function evaluate(source: string, others: Record<string, unknown> = {}) {
  const { code, uses } = await onDemandModule(source, transform, { 'import.meta.dirname': '__dirname' });
  const asked: string[] = [];
  const module = { exports: {} as Record<string, (...args: unknown[]) => unknown> };
  const ask = (path: string) => {
    asked.push(path);
    return others[path];
  };
  new Function('module', 'require', '__dirname', code)(module, ask, '/folder');
  return { ...module, asked, uses };
}

describe('a module on demand', () => {
  it('asks for nothing before it is used', async () => {
    const { exports, asked } = await evaluate(
      `import { a } from './a.js'; export const twice = () => a(2);`,
      {
        './a.js': { a: (number: number) => number * 2 },
      },
    );
    expect(asked).toEqual([]);
    expect(exports.twice?.()).toBe(4);
    expect(asked).toEqual(['./a.js']);
  });

  it('passes on what others export without asking for them', async () => {
    const source = `export { a, b as c } from './a.js'; export type { T } from './t.js';`;
    const { exports, asked } = await evaluate(source, { './a.js': { a: 1, b: 2 } });
    expect(Object.keys(exports)).toEqual(['__esModule', 'a', 'c']);
    expect(asked).toEqual([]);
    expect(exports.c).toBe(2);
  });

  it('passes on all that another exports', async () => {
    const { exports } = await evaluate(`export * from './a.js'; export const own = 1;`, {
      './a.js': { a: 5 },
    });
    expect(exports).toMatchObject({ a: 5, own: 1 });
  });

  it('takes names, defaults and whole modules, wherever they stand', async () => {
    const source = `
      import * as z from 'zod';
      import Base, { list as items } from './a.js';
      export default class Made extends Base {}
      export const text = (z: string) => [...items, z, /[a-z]/.test('z'), 'z.string items'];
      export const made = () => new Base(z.string, { items });
      export const require = (module: unknown) => [module, ...items];
    `;
    class Base {
      readonly given: unknown[];
      constructor(...given: unknown[]) {
        this.given = given;
      }
    }
    const others = { zod: { string: 'text' }, './a.js': { default: Base, list: [1, 2] } };
    const { exports, uses } = await evaluate(source, others);
    expect(exports.text?.('x')).toEqual([1, 2, 'x', true, 'z.string items']);
    expect(exports.made?.()).toEqual(new Base('text', { items: [1, 2] }));
    expect(exports.require?.(3)).toEqual([3, 1, 2]);
    expect(Object.getPrototypeOf(exports.default)).toBe(Base);
    expect(uses).toEqual(
      new Map([
        ['zod', new Set(['string'])],
        ['./a.js', new Set(['default', 'list'])],
      ]),
    );
  });

  it('waits also when it passes on what it uses itself', async () => {
    const source = `import { a } from './a.js'; export { a } from './a.js'; export const own = () => a;`;
    const { exports, asked } = await evaluate(source, { './a.js': { a: 1 } });
    expect(asked).toEqual([]);
    expect(exports.own?.()).toBe(1);
  });

  it('asks at once for what is imported for what it does', async () => {
    const { asked } = await evaluate(`import './settings.js'; export const a = import.meta.dirname;`);
    expect(asked).toEqual(['./settings.js']);
  });

  it('knows what is imported late', async () => {
    const { uses } = await evaluate(`export const late = () => import('./late.js');`);
    expect([...uses.keys()]).toEqual(['./late.js']);
  });

  it('is refused where a module is handed on as a whole, because nobody could tell what is used of it', async () => {
    await expect(
      evaluate(`import * as all from './a.js';\nexport const a = Object.keys(all);`),
    ).rejects.toThrow('./a.js is used as a whole');
  });
});
