import type { Options } from 'tsup';

/** A plugin for the bundler that tsup brings along. */
export type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** That bundler. */
export type Esbuild = Parameters<Plugin['setup']>[0]['esbuild'];
