import { describe, expect, it } from 'vitest';
import { idsIn, listPath, objectPaths } from './engine-paths.js';

describe('the paths of an engine', () => {
  it('name objects, whatever is in their names', () => {
    expect(objectPaths('container', ['a', 'x/y?z'])).toEqual([
      '/containers/a/json',
      '/containers/x%2Fy%3Fz/json',
    ]);
    expect(objectPaths('network', ['n'])).toEqual(['/networks/n']);
    expect(objectPaths('volume', ['v'])).toEqual(['/volumes/v']);
    expect(objectPaths('image', ['i'])).toBeUndefined();
  });

  it('list what carries all of the labels', () => {
    const url = new URL(listPath('container', { a: '1', b: 'x=y&z' }), 'http://docker');
    expect(url.pathname).toBe('/containers/json');
    expect(url.searchParams.get('all')).toBe('1');
    expect(JSON.parse(url.searchParams.get('filters') ?? '')).toEqual({ label: ['a=1', 'b=x=y&z'] });
  });
});

describe('the ids in a list', () => {
  it('are those of containers and networks, and the names of volumes', () => {
    expect(idsIn('container', [{ Id: 'a' }, { Id: 'b' }])).toEqual(['a', 'b']);
    expect(idsIn('network', [])).toEqual([]);
    expect(idsIn('volume', { Volumes: [{ Name: 'v' }] })).toEqual(['v']);
    expect(idsIn('volume', { Volumes: null })).toEqual([]);
  });

  it('are in the order of the names where the engine has none', () => {
    const things = [
      { Id: '1', Name: 'b' },
      { Id: '2', Name: 'a' },
      { Id: '3', Name: 'c' },
    ];
    expect(idsIn('network', things)).toEqual(['2', '1', '3']);
    expect(idsIn('volume', { Volumes: things })).toEqual(['a', 'b', 'c']);
    expect(idsIn('container', things)).toEqual(['1', '2', '3']);
  });

  it('are not there when it is no list, or not one of such things', () => {
    expect(idsIn('container', { message: 'hello' })).toBeUndefined();
    expect(idsIn('container', undefined)).toBeUndefined();
    expect(idsIn('network', [{ Name: 'n' }])).toBeUndefined();
    expect(idsIn('volume', { Volumes: 'none' })).toBeUndefined();
    expect(idsIn('volume', { message: 'hello' })).toBeUndefined();
  });
});
