/** Writes a path as one would in code: `services.api.ports[0]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    const name = String(key);
    return /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return text.length === 0 ? '(root)' : text.join('').replace(/^\./, '');
}

/** Reads a path that was written so. */
export function parsePath(text: string): (string | number)[] {
  const keys = text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g);
  return [...keys].map(([, index, quoted, name = '']) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? name : String(JSON.parse(quoted));
  });
}
