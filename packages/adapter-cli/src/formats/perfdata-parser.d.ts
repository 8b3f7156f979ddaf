declare module 'perfdata-parser' {
  interface PerfItem {
    readonly value: string;
    readonly oum?: string;
    readonly warn?: string;
    readonly crit?: string;
    readonly min?: string;
    readonly max?: string;
  }
  export default function parse(text: string): Record<string, PerfItem> | undefined;
}
