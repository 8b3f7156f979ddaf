import type { HealthReport, RecoveryPlan, StepOutcome } from '@argusai/core';

interface Dry {
  readonly removed?: readonly Thing[];
  readonly steps?: readonly (Thing & Pick<StepOutcome, 'target' | 'refusal'>)[];
  readonly plan?: RecoveryPlan;
  readonly refused?: readonly (
    | { readonly name: string; readonly reason: string }
    | Pick<StepOutcome, 'target' | 'refusal'>
  )[];
  readonly before?: HealthReport;
  readonly usedBy?: readonly { readonly pid: number; readonly suites: readonly string[] }[];
}

type Thing = Readonly<Partial<Record<'type' | 'name' | 'action' | 'target' | 'description', string>>>;

/** What is said where there is nothing to do. */
export const nothingToDo = 'there is nothing to do';

/** What a dry run says would be done, a line for each thing, and what would not be; nothing to do is not the same as nothing that can be done. */
export function thingsIn(data: unknown): string[] {
  const { removed = [], steps, plan, usedBy = [], before, ...dry } = data as Dry;
  const refused = dry.refused ?? steps?.filter(({ refusal }) => refusal) ?? [];
  const things: readonly Thing[] = [...removed, ...(steps ?? plan?.steps ?? [])];
  const done = things.map(({ type, name, action, target, description }) =>
    type === undefined ? `${action} ${target}: ${description}` : `${type} ${name}`,
  );
  const left = refused.map((one) =>
    'name' in one ? `not ${one.name}: ${one.reason}` : `not ${one.target}: ${one.refusal?.reason}`,
  );
  const users = usedBy.map(
    ({ pid, suites }) => `in use: tests run in it now (${suites.join(', ')}, process ${pid})`,
  );
  if (things.length > 0) return [...users, ...done, ...left];
  const unhandled = plan?.unhandled ?? [];
  const unseen = before?.checks.filter(({ status }) => status === 'unknown') ?? [];
  const open = [
    ...left,
    ...unhandled.map(({ check, code }) => `no repair is known here for ${code} (${check})`),
    ...unseen.map(
      ({ name, target }) => `not looked at: ${target === undefined ? name : `${name} ${target}`}`,
    ),
  ];
  return open.length === 0 ? [nothingToDo] : ['nothing can be done', ...open];
}
