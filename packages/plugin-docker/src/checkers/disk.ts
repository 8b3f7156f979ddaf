import { argumentList, defineChecker, formatSize, isArgusError, parseSize } from '@argusai/core';
import { dockerSpaceReclaimable } from '../error-codes.js';
import type { CheckerParts } from './daemon.js';

/** The engine measures all it has, which takes long where there is much: too long is then not a fault. */
const patienceMs = 60_000;

/** One line of `docker system df`. */
interface Usage {
  readonly Type: string;
  readonly TotalCount: string;
  readonly Size: string;
  readonly Reclaimable: string;
}

/** Makes `docker.disk`: Docker keeps no more than `threshold` bytes that nothing uses. */
export function diskChecker({ client, need }: CheckerParts, threshold: number) {
  return defineChecker({
    name: 'docker.disk',
    description: 'What Docker keeps and nothing uses',
    codes: [dockerSpaceReclaimable],
    requires: ['docker.daemon'],
    advisory: true,
    async check({ pass, warn, skip, unknown, signal }) {
      const needed = await need();
      if (needed.for !== 'services') return skip('No service or mock of this project needs Docker');
      try {
        const args = argumentList(['system', 'df'], { format: '{{json .}}' });
        const kinds = usageIn(await client.run(args, { signal, timeoutMs: patienceMs }));
        const reclaimable = kinds.reduce((sum, kind) => sum + kind.reclaimable, 0);
        const message = `${formatSize(reclaimable)} could be reclaimed from Docker`;
        const details = { reclaimable, threshold, kinds };
        return reclaimable < threshold
          ? pass(message, { details })
          : warn(dockerSpaceReclaimable, {
              message: `${message}, ${formatSize(threshold)} or more is a lot`,
              details,
            });
      } catch (thrown) {
        if (signal.aborted || !isArgusError(thrown)) throw thrown;
        return unknown(`What Docker keeps could not be measured: ${thrown.message}`);
      }
    },
  });
}

/** Reads `docker system df`, one object a line: sizes are for people (`1.985MB (50%)`). */
export function usageIn(output: string) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const { Type, TotalCount, Size, Reclaimable }: Usage = JSON.parse(line);
    return {
      kind: Type.toLowerCase(),
      count: Number(TotalCount),
      size: parseSize(Size),
      reclaimable: parseSize(Reclaimable.replace(/\s*\(.*\)$/, '')),
    };
  });
}
