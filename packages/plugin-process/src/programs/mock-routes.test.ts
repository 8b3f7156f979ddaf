import { describe, expect, it } from 'vitest';
import { findRoute, pathOf, render } from './mock-routes.mjs';

const response = { status: 200, headers: {}, delay: 0 };
const routes = [
  'GET /users/:id',
  'GET /users/me',
  'POST /users/:id',
  'GET /files/*',
  'ANY /a(b)',
  'GET /x*y',
].map((line) => {
  const [method = '', path = ''] = line.split(' ');
  return { method, path, response };
});

describe('the route for a request', () => {
  it.each([
    ['GET', '/users/7', 'GET /users/:id'],
    ['GET', '/users/me', 'GET /users/me'],
    ['HEAD', '/users/me', 'GET /users/me'],
    ['POST', '/users/me', 'POST /users/:id'],
    ['DELETE', '/users/me', undefined],
    ['GET', '/users/', undefined],
    ['GET', '/users/7/8', undefined],
    ['GET', '/files/', 'GET /files/*'],
    ['GET', '/files/a/b', 'GET /files/*'],
    ['GET', '/files', undefined],
    ['PURGE', '/a(b)', 'ANY /a(b)'],
    ['GET', '/ab', undefined],
    ['GET', '/x*y', 'GET /x*y'],
    ['GET', '/xxy', undefined],
  ])('%s %s is %s', (method, path, expected) => {
    const found = findRoute(routes, method, path);
    expect(found && `${found.method} ${found.path}`).toBe(expected);
  });

  it('is found by the path alone', () => {
    expect(pathOf('/a%20b?c=d#e')).toBe('/a b');
    expect(pathOf('?c')).toBe('/');
    expect(pathOf('/100%')).toBe('/100%');
  });
});

describe('an answer', () => {
  it('is text, JSON or nothing, and keeps the type that the route gives', () => {
    const textOf = (body: unknown, rest = {}) => {
      const { body: bytes, headers } = render({ ...response, body, ...rest });
      return [bytes.toString(), headers['content-type'] ?? headers['Content-Type']];
    };
    expect(textOf('ü')).toEqual(['ü', 'text/plain; charset=utf-8']);
    expect(textOf(0)).toEqual(['0', 'application/json; charset=utf-8']);
    expect(textOf(undefined)).toEqual(['', undefined]);
    expect(textOf('x', { status: 304 })).toEqual(['', undefined]);
    expect(textOf('x', { headers: { 'Content-Type': 'text/html' } })).toEqual(['x', 'text/html']);
  });
});
