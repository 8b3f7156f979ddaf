/** Texts with those that follow an equal one only counted: `GET /health answered 404 (5 times)`. */
export function equalOnce(texts: readonly string[]): string[] {
  const groups: { text: string; count: number }[] = [];
  for (const text of texts) {
    const last = groups.at(-1);
    if (last?.text === text) last.count += 1;
    else groups.push({ text, count: 1 });
  }
  return groups.map(({ text, count }) => (count === 1 ? text : `${text} (${count} times)`));
}
