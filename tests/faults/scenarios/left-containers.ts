import { expect } from 'vitest';
import { leaveBehind, leaveBehindAfter, type OtherProject } from '../faults/leave-behind.js';
import { isHeld, takePort } from '../faults/take-port.js';
import { container, read } from '../projects/container.js';
import { pluginsAndHolder } from '../projects/server.js';
import type { Expectation, Scenario } from '../scenario.js';
import type { Answer } from '../world/answer.js';
import type { World } from '../world/world.js';

const services = { web: container('web', { volumes: ['data:/data'] }) };
const others: OtherProject = () => ({ plugins: pluginsAndHolder, services });

const leftBehind = (type: string): Expectation => ({
  code: 'ORPHAN_DETECTED',
  category: 'infrastructure',
  severity: 'warning',
  details: ({ name }) => ({
    type,
    project: name,
    runtime: 'docker',
    name: expect.stringContaining(name),
    createdAt: expect.any(String),
    runId: expect.any(String),
    why: expect.stringContaining('died'),
  }),
});

const afterwards = {
  recoverable: true,
  /** The service answers, and there is nothing that is not of this run. */
  async verify(world: World, answers: readonly Answer[]) {
    expect(await read(world, 'web')).toBe('web');
    const runId = answers.at(-1)?.data?.runId ?? 'none';
    const resources = await world.resources();
    expect(resources.filter((name) => !name.includes(runId))).toEqual([]);
    expect(resources).toHaveLength(3);
  },
  without: 'fails',
  agent: { goals: [['check', '--fail-on', 'warn'], ['setup']] },
} as const;

/** Runs of other folders of the project left containers, networks and volumes behind. */
export const leftContainerScenarios: readonly Scenario[] = [
  {
    name: 'a killed run left containers behind',
    config: () => ({ services }),
    fault: leaveBehind(others),
    commands: [['check'], ['setup']],
    detected: leftBehind('container'),
    ...afterwards,
  },
  {
    name: 'a killed run left a network behind',
    config: () => ({ services }),
    fault: leaveBehindAfter('network create', others),
    commands: [['check'], ['setup']],
    detected: leftBehind('network'),
    ...afterwards,
    agent: { pointless: 'as with containers' },
  },
  {
    name: 'a killed run left a volume behind',
    config: () => ({ services }),
    fault: leaveBehindAfter('volume create', others),
    commands: [['check', '--auto-fix'], ['setup']],
    detected: leftBehind('volume'),
    ...afterwards,
    agent: { pointless: 'as with containers' },
  },
  {
    name: 'a port of a container is taken',
    config: ({ port }) => ({ services: { web: container('web', { ports: [`${port}:80`] }) } }),
    fault: takePort,
    commands: [['check'], ['setup']],
    detected: {
      code: 'PORT_CONFLICT',
      category: 'network',
      severity: 'recoverable',
      details: ({ port }) => ({ service: 'web', port, protocol: 'tcp', pid: expect.any(Number) }),
    },
    recoverable: true,
    async verify(world, answers) {
      const [{ actualPort = 0, reassigned = false } = {}] = answers.at(-1)?.data?.portMappings ?? [];
      expect(reassigned).toBe(true);
      const response = await fetch(`http://127.0.0.1:${actualPort}/`);
      expect((await response.text()).trim()).toBe('web');
      expect(await isHeld(world)).toBe(true);
    },
    without: 'fails',
    agent: { pointless: 'as with processes' },
  },
];
