import { testImage } from '../../support/test-image.js';
import type { World } from '../world/world.js';

// It does as the files in it say: it ends, or eats up its memory, and is unwell while one of that name is there. A child is killed for
// the memory and the rest ends a moment later, because an engine may lose the news of it together with the container.
const script = `mkdir -p /www && echo "$NAME" > /www/index.html
[ ! -e /broken ] || { echo 'cannot go on' >&2; exit 3; }
httpd -p 80 -h /www
while :; do
  [ ! -e /end ] || { rm /end; echo 'told to end' >&2; exit 3; }
  [ ! -e /eat ] || { rm /eat; tail /dev/zero; status=$?; sleep 1; exit $status; }
  sleep 0.1
done`;

/** A service of a project that is a container; it serves a page with its name. */
export function container(name: string, rest: Readonly<Record<string, unknown>> = {}) {
  const healthcheck = { command: 'test ! -e /unwell', interval: '100ms', retries: 3, startPeriod: '30s' };
  return {
    image: testImage,
    command: ['sh', '-c', script],
    environment: { NAME: name },
    healthcheck,
    ...rest,
  };
}

/** Leaves a file in the container of a service, which may end at once because of it: so nobody waits for the end of the command. */
export async function sign(world: World, service: string, ...files: string[]): Promise<void> {
  const { [service]: id = '' } = await world.containers();
  await world.docker('exec', '--detach', id, 'touch', ...files);
}

/** What the container of a service serves, read inside of it. */
export async function read(world: World, service: string): Promise<string> {
  const { [service]: id = '' } = await world.containers();
  return world.docker('exec', id, 'wget', '-q', '-O', '-', 'http://127.0.0.1/');
}
