import type { Kernel, ResultOf } from '@argusai/core';
import { noticeLines } from '../problems/problem.js';
import type { Line } from '../text/line.js';
import { plainTable } from '../text/plain-table.js';
import { took } from '../text/took.js';
import { launchedLines } from './guardian.js';
import { networkLines, shownNetwork } from './network.js';
import { serviceTable } from './service-table.js';

type Result = ResultOf<'setup'>;

/** The part of a setup's result that is shown. */
export interface ShownSetup
  extends Pick<
    Result,
    'runId' | 'unchanged' | 'removed' | 'resumed' | 'stages' | 'networkVerification' | 'notices' | 'guardian'
  > {
  readonly services: readonly Pick<Result['services'][number], 'name' | 'runtime' | 'status' | 'endpoints'>[];
  readonly portMappings: readonly Pick<
    Result['portMappings'][number],
    'service' | 'originalPort' | 'actualPort' | 'reassigned'
  >[];
}

/** A setup for people: where everything is, what is gone, which ports were moved, and how long it took. */
export function setupLines(setup: ShownSetup, kernel: Kernel, columns?: number): Line[] {
  const { runId, unchanged, services, removed, resumed, portMappings, stages, notices, guardian } = setup;
  const moved = portMappings.filter(({ reassigned }) => reassigned);
  const total = Object.values(stages).reduce((sum, duration) => sum + duration, 0);
  const summary = unchanged ? 'is up already, nothing had to be changed' : `is up after ${took(total)}`;
  return [
    ...(columns === undefined
      ? plainTable(
          services.map(({ name, runtime, status, endpoints }) => [
            name,
            status,
            runtime,
            endpoints.join(' '),
          ]),
        )
      : serviceTable(
          services.map(({ status, ...service }) => ({ ...service, mark: 'pass', state: status })),
          columns,
        )),
    ...removed.map((name): Line => [`${name} was taken down, because it is no longer configured`]),
    ...resumed.map((name): Line => [`${name} was paused and goes on`]),
    ...moved.map(
      ({ service, originalPort, actualPort }): Line => [
        `${service} has port ${actualPort} instead of ${originalPort}`,
      ],
    ),
    ...networkLines(shownNetwork(setup.networkVerification)),
    ...launchedLines(guardian),
    ...notices.flatMap((notice) => noticeLines(kernel, notice)),
    [
      ['up', 'green'],
      `: ${services.length === 1 ? 'one service' : `${services.length} services`}, run ${runId} ${summary}`,
    ],
  ];
}

/** The part of a build's result that is shown. */
export type ShownBuild = Pick<ResultOf<'build'>, 'images' | 'duration'>;

/** A build for people: which images there are now, and how long it took. */
export function buildLines({ images, duration }: ShownBuild): Line[] {
  if (images.length === 0) return [['There was nothing to build: no service has a build']];
  return [
    ...plainTable(
      images.map(({ service, image, id }) => [service, image, id.replace(/^sha256:/, '').slice(0, 12)]),
    ),
    [
      ['built', 'green'],
      `: ${images.length === 1 ? 'one image' : `${images.length} images`} in ${took(duration)}`,
    ],
  ];
}
