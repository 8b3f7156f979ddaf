import type { ResilienceEvents } from '@argusai/core';
import { type Line, type Style, textWidth } from '../text/line.js';
import { nameWidth } from '../text/name-width.js';
import type { Scene } from '../view.js';

/** Red is left out: it means that something is wrong. */
const colours: readonly Style[] = ['cyan', 'yellow', 'green', 'magenta', 'blue'];

/** The part of a scene that lines of services depend on. */
export type LogScene = Pick<Scene, 'input' | 'columns'> & {
  readonly kernel: { readonly config: Pick<Scene['kernel']['config'], 'services' | 'mocks'> };
};

/**
 * A line of a service's output, with the service in front: in a colour of its own, which is the same in every call whichever services are asked for, and on a
 * terminal as wide as the widest that is shown. What went to stderr has a red bar.
 */
export function logLine({ service, stream, text }: ResilienceEvents['log_line'], scene: LogScene): Line {
  const { services, mocks } = scene.kernel.config;
  const all = [...Object.keys(services), ...Object.keys(mocks)];
  const place = all.indexOf(service);
  const colour = colours[(place < 0 ? all.length : place) % colours.length] ?? 'cyan';
  const asked = Array.isArray(scene.input.service) ? scene.input.service.map(String) : all;
  const width = nameWidth(asked);
  const gap = scene.columns === undefined ? '' : ' '.repeat(Math.max(0, width - textWidth(service)));
  return [[`${service}${gap} `, colour], ['|', stream === 'stderr' ? 'red' : colour], ` ${text}`];
}
