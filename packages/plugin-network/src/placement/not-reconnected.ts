import { type ArgusConfig, standingRefusal } from '@argusai/core';
import type { ContainerPlace, RunTopology } from '@argusai/plugin-docker';
import * as z from 'zod';
import { type Misplacement, misplacement } from './misplaced.js';

/** A container that has lost its network and is left like that, because argus may not touch it. */
export const notReconnectedSchema = () =>
  z.object({
    service: z.string(),
    container: z.string(),
    problem: z
      .enum(['not-connected', 'nameless'])
      .describe('It is not on the network, or there without the name of its service'),
    refusal: z.string().describe('The rule of the policy that speaks against it'),
    command: z.string().describe('What connects it'),
  });

/** A container that has lost its network and is left like that. */
export type NotReconnected = z.output<ReturnType<typeof notReconnectedSchema>>;

const words = {
  'not-connected': 'is not on its network',
  nameless: 'is on its network, but not under its name',
} as const satisfies Readonly<Record<Misplacement, string>>;

/** What connects a container with somebody's yes. */
const withApproval = 'argus fix --only network.topology';

/** Whether one of them is connected as soon as somebody agrees to it. */
export function waitsForApproval(refused: readonly NotReconnected[]): boolean {
  return refused.some(({ command }) => command === withApproval);
}

/** The containers of a run that are not where they belong: those that may be connected again, and those that may not. */
export function misplacedIn(
  topology: RunTopology | undefined,
  { policy }: Pick<ArgusConfig, 'policy'>,
): {
  readonly open: readonly { readonly place: ContainerPlace; readonly wrong: Misplacement }[];
  readonly refused: readonly NotReconnected[];
} {
  const open: { place: ContainerPlace; wrong: Misplacement }[] = [];
  const refused: NotReconnected[] = [];
  if (topology === undefined) return { open, refused };
  for (const place of topology.containers) {
    const wrong = misplacement(place, topology);
    if (wrong === undefined) continue;
    const { service, name: container } = place;
    const names = [`service:${service}`, `container:${container}`];
    const refusal = standingRefusal(policy, { risk: 'disruptive', names });
    if (refusal === undefined) {
      open.push({ place, wrong });
      continue;
    }
    // Somebody's yes lifts the one and not the other.
    const command = refusal.rule === 'autonomy' ? withApproval : byHand(place, wrong, topology);
    refused.push({ service, container, problem: wrong, refusal: refusal.reason, command });
  }
  return { open, refused };
}

/** The command of the engine that connects a container. */
function byHand({ service, name }: ContainerPlace, wrong: Misplacement, { network }: RunTopology): string {
  const connect = `docker network connect --alias ${service} ${network} ${name}`;
  return wrong === 'nameless' ? `docker network disconnect ${network} ${name} && ${connect}` : connect;
}

/** Says of each why it was left, and what connects it. */
export function describeRefused(refused: readonly NotReconnected[]): string[] {
  return refused.map(
    ({ service, problem, refusal, command }) =>
      `${service} ${words[problem]}, and argus may not connect it (${refusal}): ${command}`,
  );
}
