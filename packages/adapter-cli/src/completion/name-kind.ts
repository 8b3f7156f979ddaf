/** A kind of names that only the project knows. */
export type NameKind = 'services' | 'checkers' | 'circuits' | 'codes' | 'suites' | 'faults';

/** Which names an input wants, by what it is called; so it is for operations of third parties, too. */
export const nameKinds: Readonly<Record<string, NameKind>> = {
  service: 'services',
  services: 'services',
  only: 'checkers',
  skip: 'checkers',
  circuit: 'circuits',
  code: 'codes',
  codes: 'codes',
  suites: 'suites',
  fault: 'faults',
};

/** All kinds of names. */
export const allNameKinds: readonly NameKind[] = [...new Set(Object.values(nameKinds))];
