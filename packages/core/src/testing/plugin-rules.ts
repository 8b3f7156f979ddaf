import { parsePluginOptions } from '../config/plugin-options.js';
import { reasonsOf } from '../explain/reasons-of.js';
import type { ErrorCode } from '../model/error-code.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { type OptionNode, optionNodes } from './option-schema.js';
import type { Rule } from './rule.js';
import type { Subject } from './scenario.js';
import { load } from './situation.js';

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const action = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*$/;

/** What every plugin must keep to, whatever it registers. */
export const pluginRules: readonly Rule<Subject>[] = [
  {
    name: 'can be loaded: its names are its own, and what it refers to is there',
    protects: 'one plugin with a wrong name stops argus at start, for everybody who loads it',
    async check(subject) {
      const { name } = subject.plugin;
      if (!kebab.test(name) || name === 'core') return `the plugin cannot be called ${JSON.stringify(name)}`;
      try {
        load(subject);
        return undefined;
      } catch (thrown) {
        return toStructuredError(thrown).message;
      }
    },
  },
  {
    name: 'rejects options that it does not know',
    protects: 'a misspelt option that is accepted does nothing, and nobody finds out',
    async check({ plugin, suite }) {
      const stranger = 'noSuchOption';
      const given = typeof suite.options === 'object' ? suite.options : {};
      if (parsePluginOptions(plugin, { ...given, [stranger]: true }).problems.length === 0) {
        return `the options accept a key that does not exist (${stranger}); use z.strictObject`;
      }
      const open = nodesOf(plugin.options).find((node) => node.open);
      return open && `the option ${open.path} accepts keys that do not exist; use z.strictObject`;
    },
  },
  {
    name: 'describes every option',
    protects: 'editors and `argus schema` show the description; without it users have to read the source',
    async check({ plugin }) {
      const bare = nodesOf(plugin.options).filter(({ description }) => !description?.trim());
      return bare.length === 0 ? undefined : `no description: ${bare.map(({ path }) => path).join(', ')}`;
    },
  },
  {
    name: 'suggests names of recoverers and operations, never prose',
    protects: 'programs act on suggested actions; they cannot act on a sentence',
    async check(subject) {
      const prose = ownCodes(subject).flatMap(({ code, suggestedActions }) =>
        suggestedActions
          .filter((name) => !action.test(name))
          .map((name) => `${code} suggests ${JSON.stringify(name)}`),
      );
      return prose[0];
    },
  },
  {
    name: 'has remedies only for reasons that its codes can have',
    protects: 'a remedy for a misspelt reason is never told, and nobody finds out',
    async check(subject) {
      const stray = ownCodes(subject).flatMap((code) => {
        const reasons = reasonsOf(code);
        return Object.keys(code.remedies ?? {})
          .filter((reason) => reasons?.includes(reason) === false)
          .map(
            (reason) => `${code.code} has a remedy for ${JSON.stringify(reason)}, which is no reason of it`,
          );
      });
      return stray[0];
    },
  },
  {
    name: 'has a scenario for every recoverer',
    protects: 'a recoverer that was never tried on a problem is tried for the first time on a user’s machine',
    async check(subject) {
      const { recoverers } = load(subject);
      const tried = new Set(subject.suite.scenarios?.map(({ repairedBy }) => repairedBy));
      const untried = recoverers
        .names()
        .filter((name) => recoverers.ownerOf(name) === subject.plugin.name && !tried.has(name));
      return untried.length === 0 ? undefined : `no scenario is repaired by ${untried.join(', ')}`;
    },
  },
];

function ownCodes(subject: Subject): ErrorCode[] {
  const { errorCodes } = load(subject);
  return errorCodes.values().filter(({ code }) => errorCodes.ownerOf(code) === subject.plugin.name);
}

function nodesOf(options: Subject['plugin']['options']): OptionNode[] {
  return options === undefined ? [] : optionNodes(options);
}
