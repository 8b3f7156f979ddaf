import { formatPath } from '../config/path.js';
import type { Problem } from '../config/problem.js';
import { configSchema } from '../config/schema.js';
import { validate } from '../config/validate.js';
import type { DraftService, DraftSuite } from './draft.js';
import { leaveOut, partOf } from './leave-out.js';

/** What is to be written. */
export interface Fitting {
  readonly project?: string;
  readonly services: readonly DraftService[];
  readonly suites: readonly DraftSuite[];
  /** Other sections of the configuration, by name. */
  readonly sections: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Leaves out what the schema refuses, one thing after the other, and says so: what is written must load. */
export function fitConfig(fitting: Fitting): Fitting {
  let fitted = fitting;
  for (;;) {
    const [problem] = validate(configSchema, configOf(fitted)).problems;
    if (!problem) return fitted;
    fitted = without(fitted, problem);
  }
}

function configOf({ project, services, suites, sections }: Fitting) {
  const written = services.filter(({ isSuggestion }) => !isSuggestion);
  return {
    ...(project === undefined ? {} : { project: { name: project } }),
    services: Object.fromEntries(written.map(({ name, spec }) => [name, spec])),
    tests: { suites },
    ...sections,
  };
}

function without(fitting: Fitting, { path, message }: Problem): Fitting {
  const { project: _, ...rest } = fitting;
  const [section, name, ...inside] = path;
  if (section === 'project') return { ...rest, notes: [...rest.notes, `left out: project.name: ${message}`] };
  if (section === 'tests') {
    const suites = leaveOut(fitting.suites, path.slice(2, 3));
    return { ...fitting, suites, notes: [...fitting.notes, `left out: a suite: ${message}`] };
  }
  if (section !== 'services') return { ...fitting, ...sectionsWithout(fitting, path, message) };
  const refused = fitting.services.find((service) => service.name === name && !service.isSuggestion);
  const smaller = refused && serviceWithout(refused, partOf(inside), message);
  // Where no part of it can be blamed, it is the whole service.
  const isWhole = !smaller || JSON.stringify(smaller.spec) === JSON.stringify(refused.spec);
  return {
    ...fitting,
    services: fitting.services.flatMap((service) =>
      service !== refused ? [service] : isWhole ? [] : [smaller],
    ),
    notes: isWhole
      ? [
          ...fitting.notes,
          `the service ${String(name)} is left out: ${message}`,
          // What was lost before may be the reason.
          ...(refused?.notes ?? []).map((note) => `the service ${String(name)}: ${note}`),
        ]
      : fitting.notes,
  };
}

/** The other sections without what is refused; where a thing is missing, without what misses it. */
function sectionsWithout({ sections, notes }: Fitting, path: readonly PropertyKey[], message: string) {
  const before = JSON.stringify(sections);
  for (let part = path; part.length > 0; part = part.slice(0, -1)) {
    const smaller = leaveOut(sections, part);
    if (JSON.stringify(smaller) === before) continue;
    return { sections: smaller, notes: [...notes, `left out: ${formatPath(part)}: ${message}`] };
  }
  return { sections: {}, notes: [...notes, `left out: ${Object.keys(sections).join(', ')}: ${message}`] };
}

function serviceWithout(
  { spec, notes, ...rest }: DraftService,
  part: readonly PropertyKey[],
  message: string,
) {
  const [key = ''] = part;
  const smaller = leaveOut(spec, part);
  const kept = Reflect.get(smaller, key);
  const isEmpty = typeof kept === 'object' && kept !== null && Object.keys(kept).length === 0;
  const note = `left out: ${formatPath(part)}: ${message}`;
  return { ...rest, spec: isEmpty ? leaveOut(smaller, [key]) : smaller, notes: [...notes, note] };
}
