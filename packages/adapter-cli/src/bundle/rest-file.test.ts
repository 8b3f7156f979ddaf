import { join } from 'node:path';
import { expect, it } from 'vitest';
import { asFunction, restFile } from './rest-file.js';

const root = join('/', 'packages');
const rest = restFile({ root, folders: ['core/src/init'], packages: ['yaml'], plugins: [] });

it('takes the modules of whole folders', () => {
  expect(rest.takes(join(root, 'core/src/init/compose/service.ts'))).toBe(true);
  expect(rest.takes(join(root, 'core/src/initial.ts'))).toBe(false);
});

it('leaves in the place of a module what evaluates it with all that it asks for', () => {
  const code =
    'const asked = (require("./a.js")).b; exports.late = () => [(require("./a.js")).c, import("x")];';
  expect(rest.put(join(root, 'core/src/init/init.ts'), code)).toBe(
    'require("rest:").modules["core/src/init/init.ts"](module, [() => require("./a.js"), () => import("x")]);',
  );
});

it('gives a file the means to import', () => {
  const code = 'exports.late = () => import("x"); exports.own = require.import(1);';
  const load = new Function(`return ${asFunction(code)}`)();
  const exports: { late?: () => unknown } = {};
  const require = { import: (value: unknown) => value };
  load(exports, require, undefined, '', '', (path: string) => `imported ${path}`);
  expect(exports).toMatchObject({ own: 1 });
  expect(exports.late?.()).toBe('imported x');
});
