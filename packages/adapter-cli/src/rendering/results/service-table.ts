import { type Line, type Span, textWidth } from '../text/line.js';
import { type MarkedState, markOf } from '../text/mark.js';

/** A service with where it is to be found. */
export interface TableService {
  readonly name: string;
  /** How it is, for the mark in front of it. */
  readonly mark: MarkedState;
  /** The same in a word. */
  readonly state: string;
  readonly runtime: string;
  readonly endpoints: readonly string[];
  /** What else there is to know, each on a line of its own. */
  readonly remarks?: readonly string[];
}

/**
 * The services of an environment on a terminal, with addresses that can be clicked. Each has a line of its own, so that none is ever cut; where
 * there is no room beside the rest, they stand below.
 */
export function serviceTable(services: readonly TableService[], columns: number): Line[] {
  const widest = (of: (service: TableService) => string) =>
    Math.max(0, ...services.map((service) => textWidth(of(service))));
  const widths = [widest(({ name }) => name), widest(({ state }) => state), widest(({ runtime }) => runtime)];
  const front = widths.reduce((sum, width) => sum + width + 2, 2);
  const hasRoom = front + widest(({ endpoints }) => longest(endpoints)) <= columns;
  return services.flatMap(({ name, mark, state, runtime, endpoints, remarks = [] }): Line[] => {
    const [symbol, style] = markOf(mark, true) as Exclude<Span, string>;
    const cells: Span[] = [[pad(name, widths[0]), 'bold'], '  ', [pad(state, widths[1]), style], '  '];
    const head: Line = [[symbol, style], ' ', ...cells, [pad(runtime, widths[2]), 'dim']];
    const [first, ...others] = endpoints;
    const indent = ' '.repeat(hasRoom ? front : 4);
    return [
      first !== undefined && hasRoom ? [...head, '  ', address(first)] : head,
      ...(hasRoom ? others : endpoints).map((endpoint): Line => [indent, address(endpoint)]),
      ...remarks.map((remark): Line => ['    ', remark]),
    ];
  });
}

function address(endpoint: string): Span {
  return [endpoint, 'cyan', endpoint];
}

function pad(text: string, width = 0): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function longest(texts: readonly string[]): string {
  return texts.reduce((one, other) => (textWidth(other) > textWidth(one) ? other : one), '');
}
