/** Whose members can go one by one; of everything else a part alone would mean something different. */
const lists = new Set([
  ...['environment', 'ports', 'volumes', 'depends_on', 'dependsOn', 'restartWith'],
  ...['interval', 'timeout', 'retries', 'start_period', 'startPeriod', 'args'],
]);

/** The smallest part of a service at a path that can be left out alone. */
export function partOf(path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [first = '', second = ''] = path;
  if (first === 'build' && second === 'args') return path.slice(0, 3);
  if (first === 'healthcheck' && lists.has(String(second))) return path.slice(0, 2);
  return path.slice(0, lists.has(String(first)) ? 2 : 1);
}

/** A value without the part at a path. */
export function leaveOut<Value>(value: Value, path: readonly PropertyKey[]): Value {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) =>
      index !== Number(key) ? [item] : rest.length === 0 ? [] : [leaveOut(item, rest)],
    );
    return items as Value;
  }
  const entries = Object.entries(value).flatMap(([name, item]) =>
    name !== String(key) ? [[name, item]] : rest.length === 0 ? [] : [[name, leaveOut(item, rest)]],
  );
  return Object.fromEntries(entries);
}
