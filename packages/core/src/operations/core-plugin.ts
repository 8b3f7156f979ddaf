import { closeBook } from '../guardian/incidents/guard-book.js';
import { forgetSigns } from '../guardian/posts/heartbeat.js';
import { coreVersion } from '../model/core-version.js';
import type { Operation } from '../model/operation.js';
import { definePlugin } from '../model/plugin.js';
import { applyRecovery } from './apply-recovery.js';
import { build } from './build.js';
import { clean } from './clean.js';
import { config } from './config.js';
import { explain } from './explain.js';
import { faultInject } from './fault-inject.js';
import { faultList } from './fault-list.js';
import { fix } from './fix.js';
import { guard } from './guard.js';
import { incidents } from './incidents.js';
import { init } from './init.js';
import { logs } from './logs.js';
import { planRecovery } from './plan-recovery.js';
import { plugins } from './plugins.js';
import { preflightCheck } from './preflight-check.js';
import { resetCircuit } from './reset-circuit.js';
import { run } from './run.js';
import { schema } from './schema.js';
import { setup } from './setup.js';
import { status } from './status.js';

/** The operations that core itself brings. */
export const coreOperations: readonly Operation[] = [
  preflightCheck,
  fix,
  planRecovery,
  applyRecovery,
  build,
  setup,
  run,
  guard,
  status,
  incidents,
  logs,
  clean,
  resetCircuit,
  faultList,
  faultInject,
  explain,
  plugins,
  config,
  schema,
  init,
];

/** The plugin that brings them, registered as any plugin's are. */
export const corePlugin = definePlugin({
  name: 'core',
  version: coreVersion,
  apply({ hooks, store }) {
    hooks.afterStop.tapPromise('core', async ({ id }) => {
      await closeBook(store, id);
      await forgetSigns(store, id);
    });
    hooks.operations.tap('core', (operations) => {
      for (const operation of coreOperations) operations.add(operation);
    });
  },
});
