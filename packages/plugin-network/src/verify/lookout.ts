import type { Clock, RunIdentity, ServiceSpec } from '@argusai/core';
import { probeBeside } from '../probes/beside.js';
import { Companions, probeCompanion } from '../probes/companion.js';
import { probeFromHere } from '../probes/from-here.js';
import { probeInside } from '../probes/inside.js';
import type { Probe } from '../probes/probe.js';
import type { Lookout } from './explore.js';
import type { Survey } from './survey.js';
import type { VerifyParts } from './verify-parts.js';

/** Makes what says how to look from the place of a service. */
export function lookouts(
  { client, verify }: VerifyParts,
  { where, place, topology }: Survey,
  { run, clock }: { readonly run: RunIdentity; readonly clock: Clock },
): (service: ServiceSpec) => Lookout {
  const timeoutMs = verify.timeout;
  const companions = new Companions(topology?.containers.map(({ image }) => image) ?? []);
  return (service) => {
    if (where(service) === 'machine') {
      return { probes: [{ name: 'this machine', probe: probeFromHere(timeoutMs) }] };
    }
    const here = place(service);
    if (where(service) !== 'container' || !here?.running) return { probes: [] };
    const parts = { client: client(), clock, timeoutMs };
    return {
      probes: [
        { name: 'inside', probe: learning(probeInside(here, parts), here.image, companions) },
        { name: 'beside', probe: probeBeside(here, timeoutMs) },
        { name: 'companion', probe: probeCompanion(here, run, companions, parts) },
      ],
    };
  };
}

/** An image from whose inside one can look is one for a companion, and the other way round. */
function learning(probe: Probe, image: string, companions: Companions): Probe {
  return async (attempts, signal) => {
    const seen = await probe(attempts, signal);
    if (seen === undefined) companions.dismiss(image);
    else companions.praise(image);
    return seen;
  };
}
