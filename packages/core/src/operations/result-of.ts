import type * as z from 'zod';
import type { Json, JsonObject } from '../model/json.js';
import type { applyRecovery } from './apply-recovery.js';
import type { build } from './build.js';
import type { clean } from './clean.js';
import type { config } from './config.js';
import type { explain } from './explain.js';
import type { faultInject } from './fault-inject.js';
import type { faultList } from './fault-list.js';
import type { fix } from './fix.js';
import type { guard } from './guard.js';
import type { incidents } from './incidents.js';
import type { init } from './init.js';
import type { logs } from './logs.js';
import type { planRecovery } from './plan-recovery.js';
import type { plugins } from './plugins.js';
import type { preflightCheck } from './preflight-check.js';
import type { resetCircuit } from './reset-circuit.js';
import type { run } from './run.js';
import type { schema } from './schema.js';
import type { setup } from './setup.js';
import type { status } from './status.js';

/** The operations that core itself brings, by name. */
interface CoreOperations {
  'preflight-check': typeof preflightCheck;
  fix: typeof fix;
  'plan-recovery': typeof planRecovery;
  'apply-recovery': typeof applyRecovery;
  build: typeof build;
  setup: typeof setup;
  run: typeof run;
  guard: typeof guard;
  status: typeof status;
  incidents: typeof incidents;
  logs: typeof logs;
  clean: typeof clean;
  'reset-circuit': typeof resetCircuit;
  'fault-list': typeof faultList;
  'fault-inject': typeof faultInject;
  explain: typeof explain;
  plugins: typeof plugins;
  config: typeof config;
  schema: typeof schema;
  init: typeof init;
}

/** The name of an operation that core itself brings. */
export type CoreOperationName = keyof CoreOperations;

/** What an operation of core gives, as its schema says. */
export type ResultOf<Name extends CoreOperationName> = Told<z.output<CoreOperations[Name]['output']>>;

/** Data as it is told: nothing in it is undefined, and what a schema leaves open is JSON. */
type Told<Data> = unknown extends Data
  ? Json
  : Record<string, unknown> extends Data
    ? JsonObject
    : { [Key in keyof Data]: Told<Exclude<Data[Key], undefined>> };
