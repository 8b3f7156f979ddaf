import type { LoadedPlugin, Plugin } from '../model/plugin.js';
import { configError, type Problem } from './problem.js';
import { reasonOf } from './reason.js';
import { type Validation, validate } from './validate.js';

/** Parses a plugin's options with its schema. Paths of problems begin at the options. */
export function parsePluginOptions(plugin: Plugin, options?: unknown): Validation<unknown> {
  const result = check(plugin, options);
  if (result.problems.length === 0) return result;
  const named = (problem: Problem) => ({ ...problem, message: `plugin ${plugin.name}: ${problem.message}` });
  return { problems: result.problems.map(named) };
}

function check(plugin: Plugin, options: unknown): Validation<unknown> {
  if (plugin.options === undefined) {
    const isEmpty =
      options === undefined || (typeof options === 'object' && Object.keys(options ?? {}).length === 0);
    return isEmpty
      ? { value: {}, problems: [] }
      : { problems: [{ path: [], message: 'it takes no options' }] };
  }
  try {
    return validate(plugin.options, options ?? {});
  } catch (error) {
    // A schema that throws, or that only works asynchronously, is a mistake of the plugin's author.
    return {
      problems: [{ path: [], message: `the schema of its options does not work: ${reasonOf(error)}` }],
    };
  }
}

/** Makes a plugin ready to be applied. */
export function usePlugin(plugin: Plugin, options?: unknown, source = 'code'): LoadedPlugin {
  const { value, problems } = parsePluginOptions(plugin, options);
  if (problems.length > 0) throw configError(null, problems);
  return { plugin, options: value, source };
}
