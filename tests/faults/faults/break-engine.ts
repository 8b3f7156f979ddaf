import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Engine, PrivateEngine } from '../../support/engine.js';
import { engineProcess } from '../../support/engine-process.js';
import type { Fault } from '../scenario.js';

/** The faults of an engine that nobody else uses. It is well again when the test is over. */
export function engineFaults(engine: () => PrivateEngine) {
  const stop = async () => {
    let isBack = false;
    const comeBack = async () => {
      if (!isBack) await engine().startAgain();
      isBack = true;
    };
    onTestFinished(comeBack);
    process.kill(engineProcess(engine()), 'SIGKILL');
    while (await accepts(engine())) await sleep(20);
    return comeBack;
  };
  return {
    stopped: { name: 'stops the engine', break: async () => void (await stop()) },
    hung: {
      name: 'has the engine accept calls and never answer',
      async break() {
        const pid = engineProcess(engine());
        onTestFinished(() => void process.kill(pid, 'SIGCONT'));
        process.kill(pid, 'SIGSTOP');
      },
    },
    restarted: {
      name: 'kills the engine with all that runs in it and starts it again',
      break: async () => (await stop())(),
    },
    /** So that somebody has seen the engine fail more often than the circuit allows. */
    stoppedForLong: {
      name: 'stops the engine until nobody calls it any more, and starts it again',
      async break(world) {
        const comeBack = await stop();
        for (let call = 1; call <= 5; call += 1) await world.argus('check', '--only', 'docker.daemon');
        await comeBack();
      },
    },
    stoppedInSetup: {
      name: 'stops the engine in the middle of a setup and starts it again',
      async break(world) {
        const call = world.begin(['setup']);
        await call.until(({ type, data }) => type === 'service_state' && data?.state === 'waiting');
        const comeBack = await stop();
        await world.finish(call, ['setup']);
        await comeBack();
      },
    },
  } satisfies Record<string, Fault>;
}

function accepts({ host }: Pick<Engine, 'host'>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(host.replace('unix://', ''));
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
