import { setImmediate } from 'node:timers/promises';

/** How many begin before the answers of others are looked at. */
const atOnce = 50;

/**
 * Does something for each of many, all at the same time, but does not begin all of it in one breath: whoever answers soon would wait
 * until the last is asked, and its answer look slow.
 */
export function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  let turn: Promise<void> | undefined;
  return Promise.all(
    items.map(async (item, index) => {
      if (index > 0 && index % atOnce === 0) turn = nextTurn(turn);
      await turn;
      return work(item);
    }),
  );
}

async function nextTurn(turn: Promise<void> | undefined): Promise<void> {
  await turn;
  await setImmediate();
}
