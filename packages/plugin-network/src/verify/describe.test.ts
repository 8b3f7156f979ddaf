import type { ServiceSpec } from '@argusai/core';
import { expect, it } from 'vitest';
import { describe as describePath } from './describe.js';

const service = (name: string, image?: string): ServiceSpec => ({
  ...{ name, kind: 'service', ports: [], environment: {}, dependsOn: [], restartWith: [], oneShot: false },
  ...{ vars: {}, volumes: [], ...(image === undefined ? {} : { image }) },
});

const refused = (to: ServiceSpec) => {
  const path = { from: service('web', 'nginx'), to, host: to.name, ports: [{ port: 80, promised: true }] };
  const port = { port: 80, status: 'refused' as const };
  const verdict = { status: 'unreachable', problem: 'tcp', reason: 'refused', port } as const;
  return describePath({ path, verdict } as never, 1_000);
};

it('says of a process that refuses a container on which address it has to listen', () => {
  expect(refused(service('api'))).toBe(
    'web does not reach api: api:80 refuses the connection; api is a process of this machine, and a container reaches it only ' +
      'when it listens on 0.0.0.0, not on 127.0.0.1 alone',
  );
  expect(refused(service('api', 'node'))).toBe('web does not reach api: api:80 refuses the connection');
});
