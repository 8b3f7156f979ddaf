import type { RepairContext } from '@argusai/core';
import { putBack } from './put-back.js';
import { topologyOf } from './topology-of.js';
import type { VerifyParts } from './verify-parts.js';

/** Connects containers that have lost their network: a service may not be well without it, or without one that it needs. */
export async function repairServices(parts: VerifyParts, context: RepairContext): Promise<void> {
  const topology = await topologyOf(parts, context, context.services);
  const { done } = await putBack(parts, topology, context);
  for (const { service } of done) {
    context.repaired(service, 'connected to its network again');
  }
}
