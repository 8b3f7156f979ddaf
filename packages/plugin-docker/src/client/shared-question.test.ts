import { describe, expect, it } from 'vitest';
import { SharedQuestion } from './shared-question.js';

/** A question that is answered when the test says so. */
function asked() {
  const puts: { readonly signal: AbortSignal; answer(): void; refuse(reason: unknown): void }[] = [];
  const question = new SharedQuestion(
    (signal) =>
      new Promise((answer, refuse) => {
        puts.push({ signal, answer, refuse });
        signal.addEventListener('abort', () => refuse(signal.reason), { once: true });
      }),
  );
  return { question, puts };
}

const forever = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a question that several ask', () => {
  it('is put once for all who ask at the same moment', async () => {
    const { question, puts } = asked();
    const all = Promise.allSettled([question.ask(forever), question.ask(forever), question.ask(forever)]);
    await turn();
    expect(puts).toHaveLength(1);
    puts[0]?.refuse(new Error('no'));
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('is put once more for all who ask while it is under way, as they may have seen something newer', async () => {
    const { question, puts } = asked();
    const first = question.ask(forever);
    await turn();
    const later = Promise.all([question.ask(forever), question.ask(forever)]);
    await turn();
    expect(puts).toHaveLength(1);
    puts[0]?.answer();
    await first;
    await turn();
    expect(puts).toHaveLength(2);
    puts[1]?.answer();
    await later;
    expect(puts).toHaveLength(2);
  });

  it('goes on for the others when one does not want to know any more, and ends with the last', async () => {
    const { question, puts } = asked();
    const [one, two] = [new AbortController(), new AbortController()];
    const asking = [question.ask(one.signal), question.ask(two.signal)];
    await turn();
    one.abort(new Error('enough'));
    await expect(asking[0]).rejects.toThrow('enough');
    expect(puts[0]?.signal.aborted).toBe(false);
    two.abort(new Error('enough too'));
    await expect(asking[1]).rejects.toThrow('enough too');
    expect(puts[0]?.signal.aborted).toBe(true);
  });

  it('is put anew for whoever comes after the last one has gone before it was put', async () => {
    const { question, puts } = asked();
    const first = question.ask(forever);
    await turn();
    const gone = new AbortController();
    const given = question.ask(gone.signal);
    gone.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    const later = question.ask(forever);
    puts[0]?.answer();
    await first;
    await turn();
    for (const put of puts) put.answer();
    await later;
  });

  it('is not put for whoever does not want to know from the beginning', async () => {
    const { question, puts } = asked();
    await expect(question.ask(AbortSignal.abort(new Error('never')))).rejects.toThrow('never');
    expect(puts).toEqual([]);
  });
});
