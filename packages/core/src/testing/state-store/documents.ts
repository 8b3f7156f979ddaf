import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../model/json.js';
import type { StateStoreDriver } from '../state-store-contract.js';
import { opened } from './opened.js';
import { refused } from './refused.js';

const notJson: Record<string, unknown> = {
  undefined,
  'not a number': Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  'a date': new Date(0),
  'a big integer': 1n,
  'a function': () => 1,
  'a map': new Map(),
  'a hole in a list': [undefined],
  'a number that is none, deep inside': { list: [{ n: Number.NaN }] },
  'an object in itself': inItself(),
};

const badNames = { 'an empty name': '', 'a name with NUL': 'a\0b', 'half a character': 'a\ud83d' };

/** What is put can be had back, as it was and apart from everything else. */
export function describeDocuments(driver: StateStoreDriver): void {
  describe('documents', () => {
    it('has an identity that stays and that no other store has', async () => {
      const [{ store }, other] = [await opened(driver), await opened(driver)];
      const id = await store.id();
      expect(id).toMatch(/\S/);
      await store.put('namespace', 'key', 1);
      expect(await store.id()).toBe(id);
      expect(await other.store.id()).not.toBe(id);
    });

    it('finds nothing where nothing was put', async () => {
      const { store } = await opened(driver);
      expect(await store.get('namespace', 'key')).toBeUndefined();
      expect(await store.list('namespace')).toEqual([]);
      await store.put('namespace', 'key', 1);
      expect(await store.get('namespace', 'other')).toBeUndefined();
      expect(await store.get('other', 'key')).toBeUndefined();
    });

    it('gives back what was put, with its revision and the time', async () => {
      const { store, setTime } = await opened(driver);
      setTime(1_234_567_890_123);
      const value = { text: 'a', list: [1, null, true], object: { deep: {} } };
      const result = await store.put('namespace', 'key', value);
      expect(result).toEqual({ stored: true, revision: expect.any(Number), updatedAt: 1_234_567_890_123 });
      const document = await store.get('namespace', 'key');
      expect(document).toEqual({
        namespace: 'namespace',
        key: 'key',
        value,
        revision: result.stored && result.revision,
        updatedAt: 1_234_567_890_123,
      });
    });

    it('replaces a document', async () => {
      const { store } = await opened(driver);
      await store.put('namespace', 'key', { first: 1 });
      await store.put('namespace', 'key', { second: 2 });
      expect((await store.get('namespace', 'key'))?.value).toEqual({ second: 2 });
      expect(await store.list('namespace')).toHaveLength(1);
    });

    it('lists a namespace by key and nothing else', async () => {
      const { store } = await opened(driver);
      const keys = ['b', 'a', '10', '9', 'B', 'é', '\u{1F600}', '\uFFFD', 'a b', '%', '_'];
      for (const key of keys) await store.put('namespace', key, key);
      await store.put('namespace2', 'c', 1);
      await store.put('NAMESPACE', 'c', 1);
      expect((await store.list('namespace')).map(({ key }) => key)).toEqual([...keys].sort());
    });

    it('is not changed by what callers do to values they gave or got', async () => {
      const { store } = await opened(driver);
      const given = { list: [1] };
      await store.put('namespace', 'key', given);
      given.list.push(2);
      const [got, listed] = [await store.get('namespace', 'key'), (await store.list('namespace'))[0]];
      for (const document of [got, listed]) (document?.value as typeof given | undefined)?.list.push(3);
      const lost = await store.put('namespace', 'key', 0, { ifRevision: 'absent' });
      expect(lost).toMatchObject({ stored: false, current: { value: { list: [1] } } });
      expect((await store.get('namespace', 'key'))?.value).toEqual({ list: [1] });
    });

    it('deletes a document, and is content when there is none', async () => {
      const { store } = await opened(driver);
      await store.put('namespace', 'key', 1);
      await store.put('namespace', 'other', 2);
      expect(await store.delete('namespace', 'key')).toMatchObject({ stored: true });
      expect(await store.get('namespace', 'key')).toBeUndefined();
      expect(await store.delete('namespace', 'key')).toMatchObject({ stored: true });
      expect((await store.list('namespace')).map(({ key }) => key)).toEqual(['other']);
    });

    it('keeps whatever JSON can say under whatever name', async () => {
      const { store } = await opened(driver);
      const name = fc.oneof(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.constantFrom(
          '__proto__',
          'constructor',
          "'; DROP TABLE documents; --",
          '../../etc',
          ' ',
          '\n',
          '%s',
        ),
      );
      const isStorable = (text: string) => !text.includes('\0');
      await fc.assert(
        fc.asyncProperty(
          name.filter(isStorable),
          name.filter(isStorable),
          fc.jsonValue(),
          async (namespace, key, value) => {
            await store.put(namespace, key, value as Json);
            const expected = JSON.parse(JSON.stringify(value));
            expect((await store.get(namespace, key))?.value).toEqual(expected);
            expect((await store.list(namespace)).find((document) => document.key === key)?.value).toEqual(
              expected,
            );
          },
        ),
        { numRuns: 60 },
      );
    });

    it.each(Object.entries(notJson))('refuses %s as a value and keeps what was there', async (_, value) => {
      const { store } = await opened(driver);
      await store.put('namespace', 'key', 'before');
      await refused(store.put('namespace', 'key', value as Json));
      await refused(store.append('stream', value as Json));
      expect((await store.get('namespace', 'key'))?.value).toBe('before');
      expect(await store.read('stream')).toEqual([]);
    });

    it.each(Object.entries(badNames))('refuses %s', async (_, name) => {
      const { store } = await opened(driver);
      await refused(store.get(name, 'key'));
      await refused(store.get('namespace', name));
      await refused(store.list(name));
      await refused(store.put(name, 'key', 1));
      await refused(store.put('namespace', name, 1));
      await refused(store.delete('namespace', name));
      await refused(store.append(name, 1));
      await refused(store.read(name));
      expect(() => store.watch(name, AbortSignal.abort())).toThrow('must be');
    });
  });
}

function inItself(): object {
  const object: { self?: object } = {};
  object.self = object;
  return object;
}
