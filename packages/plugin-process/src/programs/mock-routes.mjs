/**
 * @typedef {object} Route One thing that a mock answers.
 * @property {string} method
 * @property {string} path With `:name` for any one part and `*` at the end for any rest.
 * @property {Answer} response
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Readonly<Record<string, string>>} headers
 * @property {unknown} [body] Text is sent as it is, anything else as JSON.
 * @property {number} delay Milliseconds.
 */

/**
 * The route for a request: one that has exactly this path before one with a pattern, and otherwise the first.
 * @param {readonly Route[]} routes
 * @param {string} method
 * @param {string} path
 * @returns {Route | undefined}
 */
export function findRoute(routes, method, path) {
  const fitting = routes.filter((route) => answers(route, method));
  return (
    fitting.find((route) => route.path === path) ?? fitting.find((route) => patternOf(route.path).test(path))
  );
}

/**
 * The path of a request as routes are written: without the query, escapes resolved where they make sense.
 * @param {string} url
 */
export function pathOf(url) {
  const path = url.split(/[?#]/, 1)[0] || '/';
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign is taken as it is.
    return path;
  }
}

/**
 * The body of an answer and the headers that go with it; those of the route come first.
 * @param {Answer} answer
 * @returns {{ body: Buffer, headers: Record<string, string> }}
 */
export function render({ headers, body, status }) {
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  const without = body === undefined || status === 204 || status === 304;
  return {
    body: Buffer.from(without ? '' : isText ? body : JSON.stringify(body)),
    headers: { ...(typed || without ? {} : { 'content-type': type }), ...headers },
  };
}

/**
 * @param {Route} route
 * @param {string} method
 */
function answers(route, method) {
  return route.method === 'ANY' || route.method === method || (method === 'HEAD' && route.method === 'GET');
}

/** @param {string} path */
function patternOf(path) {
  const open = path.endsWith('*');
  const parts = (open ? path.slice(0, -1) : path).split('/');
  const source = parts.map((part) =>
    /^:./.test(part) ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${source.join('/')}${open ? '.*' : ''}$`, 's');
}
