import type { Kernel } from '../../kernel/kernel.js';
import type { Json } from '../../model/json.js';
import type { Claim } from '../runs/claim-run.js';
import type { ServiceSpec } from '../services/service-spec.js';
import type { StageContext } from './stage.js';

/** What the stages after the gate are given; what they report becomes one of the parts. */
export function stageOf(
  { project, events, clock }: Kernel,
  { run }: Claim,
  services: readonly ServiceSpec[],
  parts: Map<string, Json>,
  signal: AbortSignal,
): StageContext {
  const report = (part: string, value: Json) => void parts.set(part, value);
  return { run, project, services, events, clock, signal, report };
}
