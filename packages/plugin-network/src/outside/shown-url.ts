/** A URL without the name and password that may be in it. */
export function shownUrl(url: string): string {
  const { username, password } = new URL(url);
  return username === '' && password === '' ? url : url.replace(/\/\/[^/?#]*@/, '//');
}
