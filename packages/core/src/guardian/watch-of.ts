import { type Published, type Stranger, strangersAt } from '../environment/health/strangers.js';
import { lookAt } from '../environment/looks/look-at.js';
import { type SharedLook, sharedLook } from '../environment/looks/shared-look.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import type { Runtime, ServiceState } from '../environment/runtime.js';
import { environmentOf } from '../environment/services/environment-of.js';
import { runtimeOf } from '../environment/services/runtime-of.js';
import type { ServiceSpec } from '../environment/services/service-spec.js';
import type { Kernel } from '../kernel/kernel.js';
import { Guarded, type Watch } from './guarded.js';
import { GuardBook } from './incidents/guard-book.js';
import type { Post } from './posts/post.js';
import type { SuiteBoundaries } from './restart/suite-boundaries.js';
import { servicesOfRun } from './run-services.js';
import { type Reach, reachOf } from './watch/reach.js';
import { sharedStrangers } from './watch/until-taken-over.js';

/** Everything that the guards of a run's services share, for a signal that ends with the watch. */
export async function watchOf(
  kernel: Kernel,
  run: RunRecord,
  post: Post,
  suites: SuiteBoundaries | undefined,
  signal: AbortSignal,
): Promise<Watch> {
  const { services, ports } = servicesOfRun(kernel, run, await firstLook(kernel, run, signal));
  const published = services
    .filter(({ service }) => !service.oneShot)
    .map(({ service }) => ({ service, ports: ports.of(service.name) }));
  // To each runtime its own: that one is away keeps nobody from looking at what runs in another.
  const sights = new Map<Runtime, Sight>();
  const sightOf = (service: ServiceSpec) => {
    const runtime = runtimeOf(kernel, service);
    const own = published.filter((one) => runtimeOf(kernel, one.service) === runtime);
    const sight = sights.get(runtime) ?? makeSight(kernel, run, runtime, own, signal);
    sights.set(runtime, sight);
    return sight;
  };
  return {
    kernel,
    run,
    ports,
    look: (service) => sightOf(service).look(service),
    strangers: (service) => sightOf(service).strangers(),
    suites,
    guarded: services.map(
      (spec) => new Guarded(spec, runtimeOf(kernel, spec.service), sightOf(spec.service).reach),
    ),
    book: new GuardBook(kernel, run.id, kernel.config.resilience.container),
    mayAct: () => post.isHeld(),
    isOver: () => post.isOver(),
  };
}

/** How the services of one runtime are seen, and whether they can be. */
interface Sight {
  readonly look: SharedLook;
  readonly strangers: () => Promise<readonly Stranger[]>;
  readonly reach: Reach;
}

function makeSight(
  kernel: Kernel,
  run: RunRecord,
  runtime: Runtime,
  published: readonly Published[],
  signal: AbortSignal,
): Sight {
  return {
    strangers: sharedStrangers(
      kernel,
      async () => (await strangersAt(kernel, run, published, signal)).strangers,
    ),
    look: sharedLook(kernel.clock, (services) => lookAt(kernel, run, services, signal)),
    reach: reachOf(kernel.clock, runtime, run, signal),
  };
}

/** Which ports the runtimes chose by themselves. One that cannot be asked now is asked again with every later look. */
async function firstLook(
  kernel: Kernel,
  run: RunRecord,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ServiceState>> {
  const { services } = environmentOf(kernel.config, kernel.project);
  const chosen = services.filter(({ name }) => run.services[name]?.ports.some(({ host }) => host === null));
  try {
    return chosen.length === 0 ? new Map() : await lookAt(kernel, run, chosen, signal);
  } catch {
    return new Map();
  }
}
