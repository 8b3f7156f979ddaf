import { beforeAll, expect, it } from 'vitest';
import { containerProject } from '../environment/container-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { steady, typed } from './recorded.js';

describeWithEngine('argus build at a terminal', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('shows what the build prints while it goes on, and leaves that only when it fails', async () => {
    const project = await containerProject(host, {
      config: { services: { app: { build: 'app' }, page: { build: 'page' } } },
      files: {
        'page/Dockerfile': `FROM ${image}\n`,
        'app/Dockerfile': `FROM ${image}\nRUN echo ${'long '.repeat(40)}; seq 1 20; sleep 2\n`,
      },
    });
    const env = { DOCKER_HOST: host };
    const good = typed(project, 80, ['build'], env);
    await good.shows(
      /. app {5}building \S+ {2}\d\.\d s\n· page {4}to be built\n(?: {2}\| .*\n){5} {2}\| .*20$/,
    );
    expect(await good.ended()).toBe(0);
    expect((await good.screen()).replace(/ {2}[0-9a-f]{12}$/gm, '  ID')).toMatch(
      /^app {3}argus-\S+ +ID\npage {2}argus-\S+ +ID\nbuilt: 2 images in \S+ s$/,
    );
    expect(await good.broken()).toEqual([]);

    await project.write('app/Dockerfile', `FROM ${image}\nRUN seq 1 100; sleep 1; echo broken >&2; exit 7\n`);
    const bad = typed(project, 80, ['build'], env);
    expect(await bad.ended()).toBe(1);
    const screen = steady(await bad.screen(), 0);
    expect(screen).toMatch(/^✓ checks {2}\S+ {2}T\n✗ app {5}failed: .* {2}T\n- page {4}not started\n/);
    expect(screen).toMatch(/\nthe build of app, the last 50 of \d+ lines:\n/);
    expect(screen).toMatch(/\n {2}\| .*100\n(?:.*\n)* {2}\| .*broken\n(?:.*\n)*error: /);
    expect(screen).toContain('code: BUILD_FAILED');
    expect(await bad.broken()).toEqual([]);
  });
});
