import { describe, expect, it } from 'vitest';
import { inProcess } from '../../packages/adapter-mcp/src/fixtures/in-process.js';
import { folderWith } from '../../packages/adapter-mcp/src/fixtures/projects.js';

/** JSON that is nested so deep. */
const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

describe('what a client sends', () => {
  it('is refused as wrong parameters where it is too deep, too long or too much, and the server goes on', async () => {
    const { client, call } = await inProcess(folderWith());
    const explain = (name: unknown) => client.callTool({ name: 'argus_explain', arguments: { name } });
    for (const excess of [nested(3_000), nested(50), 'a'.repeat(400_000), Array(20_000).fill(0)]) {
      await expect(explain(excess)).rejects.toMatchObject({ code: -32_602 });
    }
    for (const method of [
      () => client.callTool({ name: 'a'.repeat(400_000), arguments: {} }),
      () => client.readResource({ uri: `argus://errors/${'a'.repeat(400_000)}` }),
      () => client.getPrompt({ name: 'a'.repeat(400_000) }),
    ]) {
      await expect(method()).rejects.toMatchObject({ code: -32_602 });
    }
    expect(await call('argus_explain', { name: 'PORT_CONFLICT' })).toMatchObject({ ok: true });
  });

  it('is compared with known names only as far as anybody could mistype one', async () => {
    const { call } = await inProcess(folderWith());
    const name = 'DOCKER_UNAVAILABLE'.repeat(5_000);
    expect(await call('argus_explain', { name })).toMatchObject({ error: { code: 'USAGE_INVALID' } });
  });
});
