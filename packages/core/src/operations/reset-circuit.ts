import * as z from 'zod';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { defineOperation, harmlessDryRun } from '../model/operation.js';
import { requireSight } from '../state/blindness.js';

const circuitState = z.lazy(() => z.enum(['closed', 'open', 'half-open']));

/** Lets one call through an open circuit to find out whether what it protects is back. */
export const resetCircuit = defineOperation({
  name: 'reset-circuit',
  summary: 'Let the next call through an open circuit',
  description:
    'Use it after CIRCUIT_OPEN, once what was down has been brought back. The next call is a probe: the circuit ' +
    'closes if it succeeds and opens again if it fails.',
  guidance: 'Call it after CIRCUIT_OPEN, once what was down is back. Next: call again what was refused.',
  input: z.lazy(() =>
    z.strictObject({
      circuit: z.string().optional().describe('The name of the circuit (default the one that is open)'),
      dryRun: z.boolean().default(false).describe('Only say what would happen'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      circuit: z.string(),
      previous: circuitState,
      current: circuitState,
      changed: z.boolean(),
      message: z.string(),
      failureHistory: z.array(
        z.object({
          error: z.string(),
          code: z.string().optional(),
          reason: z.string().optional(),
          timestamp: z.number(),
        }),
      ),
    }),
  ),
  effects: { readOnly: false, destructive: false, idempotent: true },
  effectsOf: harmlessDryRun,
  async run({ circuit: asked, dryRun }, { kernel }) {
    const name = asked ?? (await openCircuit(kernel));
    const circuit = kernel.circuits.get(name);
    if (!circuit)
      throw unknown(
        name,
        kernel.circuits.all().map((one) => one.name),
      );
    if (!dryRun) return { circuit: name, ...(await circuit.reset()) };
    const { state, failureHistory } = await circuit.state();
    if (state === 'closed') requireSight(kernel.store);
    const current = state === 'open' ? 'half-open' : state;
    const message =
      state === current ? `The circuit is ${state}: nothing to do` : 'It would become half-open';
    return { circuit: name, previous: state, current, changed: false, message, failureHistory };
  },
});

/** The circuit that is meant without a name: the one that is open, or the only one that there is. */
async function openCircuit({ circuits }: Pick<Kernel, 'circuits'>): Promise<string> {
  const states = await circuits.states();
  const held = states.filter(({ state }) => state !== 'closed');
  const [only, ...others] = held.length > 0 ? held : states;
  if (only && others.length === 0) return only.name;
  const names = (held.length > 0 ? held : states).map(({ name }) => name);
  const message = only
    ? `It is not clear which circuit is meant: there are ${names.join(', ')}; name one`
    : 'There is no circuit: no loaded plugin has one';
  throw new ArgusError(usageInvalid, { message, details: { known: names } });
}

function unknown(name: string, known: readonly string[]): ArgusError {
  const suggestion = nearest(name, known);
  const are = known.length === 1 ? 'is' : 'are';
  const rest = known.length === 0 ? 'no loaded plugin has one' : `there ${are} ${known.join(', ')}`;
  return new ArgusError(usageInvalid, {
    message: `There is no circuit called ${name}; ${suggestion ? `did you mean ${suggestion}?` : rest}`,
    details: { circuit: name, known: [...known] },
  });
}
