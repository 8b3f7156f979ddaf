import { expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { startPrivateEngine } from '../../../../tests/support/engine.js';
import { dialEngine, LineInUse } from './dial-engine.js';

describeWithEngine('an open line to the engine', ({ host }) => {
  const { signal } = new AbortController();
  const dial = async (to = host) => {
    const line = await dialEngine({ ...process.env, DOCKER_HOST: to }, signal);
    onTestFinished(() => line.close());
    return line;
  };

  it('takes requests one after the other', async () => {
    const line = await dial();
    expect(await line.post('/containers/nobody/start', signal)).toMatchObject({ status: 404 });
    expect(await line.post('/containers/no-one/start', signal)).toMatchObject({ status: 404 });
  });

  it('takes no second request while it waits for an answer, and loses none', async () => {
    const line = await dial();
    const [first, second] = await Promise.allSettled([
      line.post('/containers/nobody/start', signal),
      line.post('/containers/no-one/start', signal),
    ]);
    expect([first, second]).toMatchObject([
      { status: 'fulfilled', value: { status: 404 } },
      { status: 'rejected', reason: expect.any(LineInUse) },
    ]);
    expect(await line.post('/containers/no-one/start', signal)).toMatchObject({ status: 404 });
  });

  it('fails once it is closed', async () => {
    const line = await dial();
    line.close();
    await expect(line.post('/containers/nobody/start', signal)).rejects.toThrow('closed');
  });

  it('fails where nobody answers', async () => {
    const line = await dial('unix:///no/such/engine.sock');
    await expect(line.post('/containers/nobody/start', signal)).rejects.toThrow();
  });

  it('fails when the engine has gone', async (test) => {
    const engine = await startPrivateEngine();
    if ('missing' in engine) return test.skip(engine.missing);
    const line = await dial(engine.host);
    expect(await line.post('/containers/nobody/start', signal)).toMatchObject({ status: 404 });
    await engine.end();
    await expect(line.post('/containers/nobody/start', signal)).rejects.toThrow();
  });

  it('fails when it is aborted', async () => {
    const line = await dial();
    await expect(line.post('/containers/nobody/start', AbortSignal.abort())).rejects.toThrow('abort');
  });
});
