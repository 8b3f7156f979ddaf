import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { withinReach } from './within-reach.js';

const kernel = buildKernel();
const leading = (tool: string) => ({ ok: true, data: {}, next: { tool, arguments: {} } });

describe('the next call', () => {
  it('that a server which changes nothing does not offer is left to the person', () => {
    const { next, human } = withinReach(leading('argus_setup'), kernel, true);
    expect([next, human]).toEqual([undefined, expect.stringContaining('(--read-only)')]);
    expect(withinReach(leading('argus_status'), kernel, true)).toEqual(leading('argus_status'));
  });

  it('is not called one too many in a server that may change things, whatever it is', () => {
    for (const tool of ['argus_setup', 'argus_no_operation'])
      expect(withinReach(leading(tool), kernel, false)).toEqual(leading(tool));
  });
});
