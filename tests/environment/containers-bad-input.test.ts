import { beforeAll, expect, it } from 'vitest';
import { countingDocker } from '../../packages/plugin-docker/src/fixtures/counting-docker.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { containerProject, idleService } from './container-project.js';

interface BadInput {
  readonly what: string;
  service(image: string): Record<string, unknown>;
  readonly files?: (image: string) => Record<string, string>;
  readonly error: Record<string, unknown>;
}

const inputs: BadInput[] = [
  {
    // No registry listens on that port, so the answer is the same on a machine that could pull.
    what: 'an image that does not exist',
    service: () => ({ image: 'localhost:1/no-such-image' }),
    error: {
      code: 'IMAGE_UNAVAILABLE',
      message: expect.stringContaining('localhost:1/no-such-image'),
      details: { service: 'bad', image: 'localhost:1/no-such-image', reason: 'registry-unreachable' },
    },
  },
  {
    what: 'a Dockerfile with a step that fails',
    service: () => ({ build: 'bad' }),
    files: (image) => ({
      'bad/Dockerfile': `FROM ${image}\nRUN echo compiling; echo 'a.c:1: no such thing' >&2; exit 3\n`,
    }),
    error: {
      code: 'BUILD_FAILED',
      message: expect.stringContaining('bad'),
      details: {
        service: 'bad',
        exitCode: expect.any(Number),
        lines: expect.arrayContaining([
          expect.stringContaining('compiling'),
          expect.stringContaining('a.c:1: no such thing'),
        ]),
      },
    },
  },
  {
    what: 'a Dockerfile that is none',
    service: () => ({ build: 'bad' }),
    files: () => ({ 'bad/Dockerfile': 'COMPILE everything\n' }),
    error: {
      code: 'BUILD_FAILED',
      details: { service: 'bad', lines: expect.arrayContaining([expect.stringContaining('COMPILE')]) },
    },
  },
  {
    what: 'a command that is not in the image',
    service: (image) => ({ image, command: 'no-such-program --now' }),
    error: {
      code: 'SERVICE_START_FAILED',
      message: expect.stringContaining('no-such-program'),
      details: { service: 'bad', reason: 'command-missing' },
    },
  },
  {
    // Its health check never passes, so that it cannot be taken for ready however late it ends.
    what: 'a container that ends before it is ready',
    service: (image) => ({
      image,
      command: ['sh', '-c', 'echo I am out; exit 7'],
      healthcheck: { command: 'false', interval: '50ms', startPeriod: '60s' },
    }),
    error: {
      code: 'SERVICE_START_FAILED',
      message: expect.stringContaining('exit code 7'),
      details: { service: 'bad', reason: 'exited', exitCode: 7, lines: ['I am out'] },
    },
  },
  {
    what: 'a container that never becomes healthy',
    service: (image) =>
      idleService(image, {
        command: ['sh', '-c', 'echo trying; exec sleep 1000'],
        healthcheck: {
          command: ['sh', '-c', 'echo not yet; false'],
          interval: '50ms',
          timeout: '60s',
          retries: 3,
          startPeriod: '0ms',
        },
      }),
    error: {
      code: 'HEALTH_CHECK_TIMEOUT',
      message: expect.stringContaining('not yet'),
      details: {
        service: 'bad',
        tries: 3,
        check: 'sh -c echo not yet; false',
        lines: ['trying'],
        outputs: ['exit code 1: «not yet» (3 times)'],
      },
    },
  },
  {
    what: 'an image whose own health check never passes',
    service: () => ({ build: 'bad' }),
    files: (image) => ({
      'bad/Dockerfile': [
        `FROM ${image}`,
        'HEALTHCHECK --interval=200ms --retries=2 CMD echo sick; exit 1',
        'CMD ["sh", "-c", "echo alive; exec sleep 1000"]',
      ].join('\n'),
    }),
    error: {
      code: 'HEALTH_CHECK_TIMEOUT',
      details: {
        service: 'bad',
        check: "the image's own check",
        lines: ['alive'],
        outputs: [expect.stringMatching(/^«sick»/)],
      },
    },
  },
];

const refusals = [
  {
    what: 'a cycle in dependsOn',
    config: (image: string) => `services:
  web: { image: '${image}', dependsOn: [api] }
  api: { image: '${image}', dependsOn: [db] }
  db: { image: '${image}', dependsOn: [web] }
`,
    message: 'web → api → db → web',
  },
  {
    what: 'two services with one name',
    config: (image: string) => `services:
  web: { image: '${image}' }
  web: { image: '${image}' }
`,
    message: 'line 3: the key "web" is there twice',
  },
];

describeWithEngine('an environment of containers that cannot come up', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it.each(inputs.map((input) => [input.what, input] as const))(
    '%s is one clear error, and leaves nothing',
    async (_, { service, files, error }) => {
      const good = idleService(image, { volumes: ['data:/data'] });
      const project = await containerProject(host, {
        config: { services: { good, bad: { ...service(image), dependsOn: ['good'] } } },
        ...(files ? { files: files(image) } : {}),
      });
      const answer = await project.argus('setup');
      expect(answer).toMatchObject({ ok: false, code: 1, error });
      // What had been started is in the error too; a build comes before anything is started.
      const { failed, removed } = answer.error.details.rollback ?? {};
      expect(failed).toEqual([]);
      const made = answer.error.code === 'BUILD_FAILED' ? [] : ['container', 'network', 'volume'];
      expect([...new Set(removed?.map((text) => text.split(' ')[0]))]).toEqual(made);
      expect(await project.resources()).toEqual([]);
      expect(await project.argus('status')).toMatchObject({ data: { run: null } });
    },
  );

  it.each(refusals.map((input) => [input.what, input] as const))(
    '%s is one clear error, before Docker is called at all',
    async (_, { config, message }) => {
      const counting = await countingDocker();
      const { PATH } = counting.env;
      const project = await containerProject(host, { config: config(image), env: { PATH } });
      expect(await project.argus('setup')).toMatchObject({
        ok: false,
        code: 2,
        error: { code: 'CONFIG_INVALID', message: expect.stringContaining(message) },
      });
      expect(await counting.calls()).toEqual([]);
    },
  );
});
