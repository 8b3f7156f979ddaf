import type { PortMapping } from './port-mapping.js';

/** A `{{…}}` in a text that stands for something of argus. */
export interface Placeholder {
  /** With its braces. */
  readonly whole: string;
  /** What is between them: `ports.api`. */
  readonly name: string;
}

/** What a placeholder refers to. */
export type Reference =
  | {
      readonly kind: 'port';
      readonly service: string;
      /** Which of its ports, by the number inside; left out, its first. */
      readonly container?: number;
      readonly protocol?: PortMapping['protocol'];
    }
  | { readonly kind: 'variable'; readonly name: string };

const pattern = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** What names begin with that argus fills in, and what those of its predecessor begin with, which must not get lost unnoticed. */
const own = /^(?:(?:ports|vars)\b|(?:env|config|runtime)\.)/;

/** The placeholders of a text; what other tools write in braces, as `{{.Names}}`, is none. */
export function placeholdersIn(text: string): Placeholder[] {
  return bracesIn(text).filter(({ name }) => own.test(name));
}

/** What of a text is in braces like a placeholder and is none. */
export function othersIn(text: string): Placeholder[] {
  return bracesIn(text).filter(({ name }) => !own.test(name));
}

/** A text with every placeholder replaced. */
export function replacePlaceholders(text: string, replace: (placeholder: Placeholder) => string): string {
  return text.replace(pattern, (whole, name: string) => (own.test(name) ? replace({ whole, name }) : whole));
}

function bracesIn(text: string): Placeholder[] {
  return [...text.matchAll(pattern)].map(([whole, name = '']) => ({ whole, name }));
}

/** What a name refers to: `ports.api`, `ports.api.3000`, `ports.dns.53/udp`, `vars.base_url`, `vars.api.base_url`. */
export function referenceOf(name: string, isService: (name: string) => boolean): Reference | undefined {
  const [, kind, rest = ''] = /^(ports|vars)\.(.+)$/.exec(name) ?? [];
  if (kind === 'vars') return { kind: 'variable', name: rest };
  if (kind !== 'ports') return undefined;
  const [, service = '', container, protocol] = /^(.+)\.(\d+)(?:\/(tcp|udp))?$/.exec(rest) ?? [];
  // The name of a service may itself end with a dot and a number.
  if (container === undefined || isService(rest)) return { kind: 'port', service: rest };
  return {
    kind: 'port',
    service,
    container: Number(container),
    ...(protocol === undefined ? {} : { protocol: protocol as PortMapping['protocol'] }),
  };
}

/** That a placeholder stands for nothing, and what may have been meant. */
export function standsForNothing({ whole }: Placeholder, suggestion: string | undefined): string {
  const hint = suggestion === undefined ? '' : `, did you mean {{${suggestion}}}?`;
  return `${whole} stands for nothing that is known here${hint}`;
}

/** That a plain name stands for variables of several services. */
export function standsForSeveral({ whole, name }: Placeholder, services: readonly string[]): string {
  const plain = name.replace(/^vars\./, '');
  const choices = services.map((service) => `{{vars.${service}.${plain}}}`);
  return `${whole} is a variable of several services, which differ; write ${choices.join(' or ')}`;
}
