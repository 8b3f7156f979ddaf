/** What is different each time, and what stands for it on a page. */
const usual = new Map(
  Object.entries({
    duration: 5,
    timestamp: 1790000000000,
    startedAt: 1790000000000,
    finishedAt: 1790000000000,
  }),
);

/**
 * An answer without what differs from one time or machine to the next.
 * @param {unknown} answer
 * @param {string} project The folder in which it was given.
 * @returns {unknown}
 */
export function plainAnswer(answer, project) {
  const text = JSON.stringify(answer, (key, value) =>
    typeof value === 'number' && usual.has(key) ? usual.get(key) : value,
  );
  return JSON.parse(text.replaceAll(project, '/srv/shop'));
}
