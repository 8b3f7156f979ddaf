import type { Draft, DraftService } from './draft.js';

/**
 * The services of the first source that has any. What the others have is most likely the same thing seen from another side, so
 * it is only suggested; what is built already is not even that.
 */
export function chooseServices(drafts: readonly Draft[]): DraftService[] {
  const [first, ...others] = drafts.filter(({ services }) => services.length > 0);
  const chosen = first?.services ?? [];
  const isBuilt = chosen.some(({ spec }) => 'build' in spec);
  const suggested = others.filter(({ source }) => !isBuilt || source.kind !== 'dockerfile');
  return [
    ...chosen,
    ...suggested.flatMap(({ services }) => services).map((service) => ({ ...service, isSuggestion: true })),
  ];
}
