/** The kinds of names that only the project knows. */
export const allNameKinds = [
  'services',
  'runs',
  'checkers',
  'circuits',
  'codes',
  'suites',
  'faults',
  'explained',
  'sections',
] as const;

/** A kind of names that only the project knows. */
export type NameKind = (typeof allNameKinds)[number];

/** Which names an input wants, by what it is called; so it is for operations of third parties, too. */
export const nameKinds: Readonly<Record<string, NameKind>> = {
  service: 'services',
  services: 'services',
  run: 'runs',
  only: 'checkers',
  skip: 'checkers',
  circuit: 'circuits',
  code: 'codes',
  codes: 'codes',
  suites: 'suites',
  fault: 'faults',
};
