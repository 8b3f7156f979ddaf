import { closeBook } from '../guardian/incidents/guard-book.js';
import { coreVersion } from '../model/core-version.js';
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

/** The operations that core itself brings, registered as any plugin's are. */
export const corePlugin = definePlugin({
  name: 'core',
  version: coreVersion,
  apply({ hooks, store }) {
    hooks.afterStop.tapPromise('core', ({ id }) => closeBook(store, id));
    hooks.operations.tap('core', (operations) => {
      operations.add(preflightCheck);
      operations.add(fix);
      operations.add(planRecovery);
      operations.add(applyRecovery);
      operations.add(build);
      operations.add(setup);
      operations.add(run);
      operations.add(guard);
      operations.add(status);
      operations.add(incidents);
      operations.add(logs);
      operations.add(clean);
      operations.add(resetCircuit);
      operations.add(faultList);
      operations.add(faultInject);
      operations.add(explain);
      operations.add(plugins);
      operations.add(config);
      operations.add(schema);
      operations.add(init);
    });
  },
});
