import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../answer/cut.js';
import { confirmed, serverEnv } from '../fixtures/clients.js';
import { inProcess } from '../fixtures/in-process.js';
import { leakyProject } from '../fixtures/leaky-project.js';
import { folderWith, processProject } from '../fixtures/projects.js';
import { until } from '../fixtures/until.js';

describe('a server that changes nothing', () => {
  it('has no tool that changes anything, and a check without autoFix', async () => {
    const { client, call } = await inProcess(await processProject(), { readOnly: true });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['argus_preflight_check', 'argus_status', 'argus_more']));
    expect(names).not.toEqual(expect.arrayContaining(['argus_setup']));
    for (const { name, annotations } of tools) expect(annotations?.readOnlyHint, name).toBe(true);
    const check = tools.find(({ name }) => name === 'argus_preflight_check');
    expect(Object.keys(check?.inputSchema.properties ?? {})).not.toContain('autoFix');
    expect(await call('argus_preflight_check', { autoFix: true })).toMatchObject({
      ok: false,
      error: { code: 'USAGE_INVALID' },
      next: { tool: 'argus_preflight_check', arguments: {} },
    });
    for (const name of ['argus_setup', 'argus_clean', 'argus_apply_recovery', 'argus_cancel']) {
      await expect(call(name, { confirm: true }), name).rejects.toThrow('no tool');
    }
  });

  it('leads nobody to a tool that it does not have, and says why', async () => {
    const { cwd } = leakyProject();
    const { client, call } = await inProcess(cwd, { readOnly: true });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    const planned = await call('argus_plan_recovery');
    expect(planned).toMatchObject({ ok: true, data: { hash: expect.any(String) } });
    expect(planned.next).toBeUndefined();
    expect(planned.human).toMatch(/^argus_apply_recovery would be next.*--read-only.*person/);
    expect(planned.text).toContain(planned.human);
    const failed = await call('argus_logs');
    expect(failed.next).toEqual({ tool: 'argus_explain', arguments: { name: failed.error?.code } });
    expect(failed.human).toMatch(/^argus_setup would be next/);
    await expect(call('argus_setup')).rejects.toThrow('--read-only');
    await expect(call('argus_set_up')).rejects.not.toThrow('--read-only');
    expect(names).not.toContain('argus_setup');
    const instructions = client.getInstructions() ?? '';
    expect(instructions).toContain('--read-only');
    const { tools } = await client.listTools();
    const told = [instructions, ...tools.map((tool) => JSON.stringify(tool))].join('\n');
    expect(told.match(/argus_\w+/g)?.filter((one) => !names.includes(one))).toEqual([]);
    expect(told).not.toMatch(/autoFix|confirm/);
    const check = tools.find(({ name }) => name === 'argus_preflight_check');
    expect(check?.description).toContain('call argus_plan_recovery');
    expect(Object.keys(check?.inputSchema.properties ?? {})).not.toContain('dryRun');
    expect(instructions.length).toBeLessThanOrEqual(2_048);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['why-unhealthy']);
    await expect(client.getPrompt({ name: 'bring-up' })).rejects.toThrow('no prompt');
  });
});

describe('a server', () => {
  it('works in no folder but its own', async () => {
    const [main, other] = [await processProject(), await processProject()];
    const { call } = await inProcess(main);
    for (const projectPath of [other, '/', homedir(), '..']) {
      const refused = await call('argus_status', { projectPath });
      expect(refused).toMatchObject({ ok: false, error: { code: 'PROJECT_REFUSED' } });
    }
    expect(await call('argus_status', { projectPath: main })).toMatchObject({ ok: true });
    expect(await call('argus_status', { projectPath: 7 })).toMatchObject({ ok: false });
    for (const never of ['/', homedir()]) {
      const started = await inProcess(never, { folders: { main: never, roots: [never, main] } });
      expect(await started.call('argus_status')).toMatchObject({
        error: { code: 'PROJECT_REFUSED', details: { folder: never, allowed: [main] } },
      });
    }
  });

  it('runs no configuration that lies above its own folder, and says how to start it', async () => {
    const repository = folderWith({
      '.git/HEAD': '',
      'inner/a': '',
      'argus.config.mjs': `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('ran', import.meta.url), '');
export default { project: { name: 'outer' } };`,
    });
    const inner = join(repository, 'inner');
    const { client, call } = await inProcess(inner);
    const refused = await call('argus_status');
    expect(refused).toMatchObject({ ok: false, error: { code: 'PROJECT_REFUSED' } });
    expect(refused.error?.message).toContain(`--project ${repository}`);
    expect(await call('argus_status', { runId: 'call-0' })).toMatchObject({ ok: false });
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    await client.readResource({ uri: 'argus://config' });
    expect(existsSync(join(repository, 'ran'))).toBe(false);
    const { call: allowed } = await inProcess(inner, {
      folders: { main: inner, roots: [inner, repository] },
    });
    expect(await allowed('argus_status')).toMatchObject({ ok: true, data: { project: 'outer' } });
  });

  it('started in the home folder is there, and says why it does nothing', async () => {
    const { client, call } = await inProcess(homedir());
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    expect(await call('argus_setup')).toMatchObject({ ok: false, error: { code: 'PROJECT_REFUSED' } });
    expect(await call('argus_explain', { name: 'PROJECT_REFUSED' })).toMatchObject({ ok: true });
  });

  it('asks the person before what cannot be taken back, and shows what it is', async () => {
    const asked: string[] = [];
    let answer: object = { action: 'accept', content: { agree: false } };
    const { call } = await inProcess(await processProject(), {
      onAsk(message) {
        asked.push(message);
        return answer;
      },
    });
    expect(await call('argus_setup')).toMatchObject({ ok: true });
    // What a model confirms does not count where a person can be asked.
    expect(await call('argus_clean', { confirm: true })).toMatchObject({
      ok: false,
      error: { code: 'CONFIRMATION_REQUIRED', details: { declined: true } },
    });
    expect(asked).toEqual([expect.stringMatching(/argus_clean in .* at that moment; now:\nprocess api$/)]);
    answer = { action: 'decline' };
    expect(await call('argus_clean')).toMatchObject({ ok: false });
    expect(await call('argus_clean', { dryRun: true })).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    answer = { action: 'accept', content: { agree: true } };
    expect(await call('argus_clean')).toMatchObject({ ok: true, data: { removed: [{ name: 'api' }] } });
  });

  it('repairs exactly what the person was shown, and nothing when that has changed', async () => {
    const { cwd, leaks } = leakyProject();
    const asked: string[] = [];
    let meanwhile = () => writeFileSync(join(cwd, 'leaks'), 'kitchen bath');
    const { call } = await inProcess(cwd, {
      onAsk(message) {
        asked.push(message);
        meanwhile();
        return { action: 'accept', content: { agree: true } };
      },
    });
    const only = ['tap.leaks'];
    expect(await call('argus_fix', { only })).toMatchObject({ ok: false, error: { code: 'PLAN_STALE' } });
    expect(asked).toEqual([expect.stringMatching(/\nclose tap:kitchen: Close it$/)]);
    expect(leaks()).toBe('kitchen bath');
    meanwhile = () => undefined;
    expect(await call('argus_fix', { only })).toMatchObject({ ok: true, data: { stopped: null } });
    expect(leaks()).toBe('');
    expect(asked).toHaveLength(2);
    for (const yes of [true, false])
      expect(await call('argus_fix', { only, yes })).toMatchObject({
        ok: true,
        data: { stopped: 'nothing-to-do' },
      });
    expect(asked).toHaveLength(2);
  });

  it('repairs nothing where the person was shown that nothing can be done', async () => {
    const { cwd, leaks } = leakyProject({ plugins: ['./tap.mjs', '@argusai/plugin-docker'] });
    writeFileSync(join(cwd, 'leaks'), '');
    const asked: string[] = [];
    const { call } = await inProcess(cwd, {
      env: serverEnv({ DOCKER_HOST: 'unix:///nowhere/docker.sock' }),
      onAsk(message) {
        asked.push(message);
        writeFileSync(join(cwd, 'leaks'), 'attic');
        return { action: 'accept', content: { agree: true } };
      },
    });
    const only = ['tap.leaks', 'docker.daemon'];
    expect(await call('argus_fix', { only })).toMatchObject({ ok: true, data: { stopped: 'only-planned' } });
    expect(asked).toEqual([expect.stringContaining('nothing can be done')]);
    expect(leaks()).toBe('attic');
  });

  it('cuts long answers, and gives the rest when asked', async () => {
    const printing = 'for (let line = 0; line < 3000; line++) console.log(line, "x".repeat(60));';
    const cwd = await processProject();
    writeFileSync(join(cwd, 'server.mjs'), `${printing}\n${server}`);
    const { call } = await inProcess(cwd);
    await call('argus_setup');
    const { truncated, text, next: _, isError: __, ...answer } = await call('argus_logs', { tail: 3_000 });
    expect(truncated?.omitted[0]).toMatch(/^data\.lines: \d+ of 3000$/);
    expect(bytesOf({ ...answer, truncated })).toBeLessThan(20_000);
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    const runId = /"runId":"(call-\w+)"/.exec(truncated?.more ?? '')?.[1];
    let all = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const { data } = await call('argus_more', { runId, offset });
      const piece = data as { text: string; nextOffset: number | null };
      all += piece.text;
      offset = piece.nextOffset;
    }
    expect(JSON.parse(all).data.lines).toHaveLength(3_000);
    expect(await call('argus_more', { runId: 'call-0' })).toMatchObject({
      ok: false,
      next: { tool: 'argus_status', arguments: {} },
    });
    await confirmed(call, 'argus_clean');
  }, 60_000);

  it('removes secrets from answers and resources', async () => {
    const secret = ['sk', 'very', 'hidden', '1234567890'].join('-');
    const cwd = await processProject();
    const file = join(cwd, 'argus.config.json');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    config.services.api.environment.API_TOKEN = secret;
    writeFileSync(file, JSON.stringify(config));
    const { client, call } = await inProcess(cwd);
    const told = [
      await call('argus_config'),
      await call('argus_setup'),
      await call('argus_logs'),
      (await client.readResource({ uri: 'argus://config' })).contents,
      (await client.readResource({ uri: 'argus://events' })).contents,
    ];
    expect(JSON.stringify(told)).toContain('listens with');
    expect(JSON.stringify(told)).not.toContain(secret);
    await confirmed(call, 'argus_clean');
  });

  it('calls for a person when an agent goes round in circles', async () => {
    const cwd = folderWith({ 'argus.config.yaml': 'services: { api: { command: "exit 3" } }\n' });
    const { call } = await inProcess(cwd);
    const first = await call('argus_setup');
    expect(first).toMatchObject({ ok: false });
    expect(first.escalate).toBeUndefined();
    expect(first.next?.tool).not.toBe('argus_setup');
    expect((await call('argus_setup')).escalate).toBeUndefined();
    const third = await call('argus_setup');
    expect(third).toMatchObject({ escalate: true, error: { code: first.error?.code } });
    expect(third.text.split('\n')[0]).toContain('Stop and tell the person');
    writeFileSync(join(cwd, 'argus.config.yaml'), 'services: { api: { command: "exit 4" } }\n');
    expect((await call('argus_setup')).escalate).toBeUndefined();
  });
});

describe('an agent that tries again', () => {
  const config = 'services: { api: { command: ". ./api/main.sh" } }\n';
  const main = (n: number) => `exit ${n}\n`;

  it('after having edited a file is not said to have changed nothing', async () => {
    const cwd = folderWith({ 'argus.config.yaml': config, 'api/main.sh': main(3) });
    const { call } = await inProcess(cwd);
    for (const n of [3, 33, 133, 4]) {
      writeFileSync(join(cwd, 'api/main.sh'), main(n));
      const answer = await call('argus_setup');
      expect(answer).toMatchObject({ ok: false });
      expect(answer.escalate).toBeUndefined();
    }
  });

  it('is not helped by calls in between that change nothing', async () => {
    const cwd = folderWith({ 'argus.config.yaml': config, 'api/main.sh': main(3) });
    const { call } = await inProcess(cwd);
    await call('argus_setup');
    expect(await confirmed(call, 'argus_clean')).toMatchObject({ ok: true, data: { removed: [] } });
    await call('argus_setup');
    await call('argus_preflight_check', { autoFix: true, only: ['process'] });
    expect(await call('argus_reset_circuit', { circuit: 'docker' })).toMatchObject({ ok: true });
    expect(await call('argus_setup')).toMatchObject({ ok: false, escalate: true });
  });

  it('is told so also when the circuit has opened meanwhile', async () => {
    const cwd = folderWith({ 'argus.config.yaml': 'services: { db: { image: "postgres:17" } }\n' });
    const env = serverEnv({ DOCKER_HOST: 'unix:///nowhere/docker.sock' });
    const { call } = await inProcess(cwd, { env });
    const answers = [];
    for (let n = 0; n < 7; n += 1) answers.push(await call('argus_setup'));
    expect(answers.map(({ escalate = false }) => escalate)).toEqual([
      ...[false, false],
      ...[true, true, true, true, true],
    ]);
    expect(new Set(answers.map(({ error }) => error?.code))).toContain('CIRCUIT_OPEN');
  });
});

describe('the same call that fails over and over', () => {
  const escalates = async (call: () => Promise<{ escalate?: true; human?: string }>) => {
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await call());
    for (const { escalate, human = '' } of answers)
      expect(human.startsWith('Stop and tell the person')).toBe(escalate === true);
    return answers.map(({ escalate = false }) => escalate);
  };
  const atTheThird = [false, false, true, true, true];

  it('calls for a person, whatever tool it is and however it fails', async () => {
    const { call } = await inProcess(await processProject());
    const calls: [string, Record<string, unknown>, string][] = [
      ['argus_clean', {}, 'CONFIRMATION_REQUIRED'],
      ['argus_status', { runId: 'zz' }, 'USAGE_INVALID'],
      ['argus_cancel', { runId: 'zz' }, 'USAGE_INVALID'],
      ['argus_more', { runId: 'zz' }, 'USAGE_INVALID'],
      ['argus_logs', { follow: true }, 'USAGE_INVALID'],
    ];
    for (const [tool, args, code] of calls) {
      expect((await call(tool, { ...args, projectPath: '.' })).error?.code, tool).toBe(code);
      expect(await escalates(() => call(tool, args)), tool).toEqual(atTheThird);
    }
    expect((await call('argus_clean')).human).toContain('Do you agree to argus_clean {}?');
    expect(await confirmed(call, 'argus_clean')).toMatchObject({ ok: true });
  });

  it('does not ask a person a third time who has said no twice, until something has changed', async () => {
    let asked = 0;
    const onAsk = () => {
      asked += 1;
      return { action: 'decline' };
    };
    const cwd = await processProject();
    const { call } = await inProcess(cwd, { onAsk });
    expect(await escalates(() => call('argus_clean'))).toEqual(atTheThird);
    expect(asked).toBe(2);
    const third = await call('argus_clean');
    expect(third).toMatchObject({ error: { code: 'CONFIRMATION_REQUIRED', details: { declined: true } } });
    expect(third.human).toContain('were not asked again');
    writeFileSync(join(cwd, 'another'), '');
    expect((await call('argus_clean')).escalate).toBeUndefined();
    expect(asked).toBe(3);
  });
});

describe('a call that is nearly right', () => {
  it('is told what is missing', async () => {
    const { call } = await inProcess(await processProject());
    for (const tool of ['argus_cancel', 'argus_more']) {
      const { error } = await call(tool);
      expect(error).toMatchObject({ code: 'USAGE_INVALID', message: expect.stringContaining('needs runId') });
      expect(error?.message).not.toContain('undefined');
    }
  });

  it('is led to what was most likely meant', async () => {
    const { call } = await inProcess(await processProject());
    const near = await call('argus_explain', { name: 'portconflict' });
    expect(near).toMatchObject({ ok: false, error: { details: { suggestion: 'PORT_CONFLICT' } } });
    expect(near.next).toEqual({ tool: 'argus_explain', arguments: { name: 'PORT_CONFLICT' } });
    const far = await call('argus_explain', { name: 'zzzzzzzzzz' });
    expect(far.next).toEqual({ tool: 'argus_explain', arguments: { name: 'USAGE_INVALID' } });
    const section = await call('argus_schema', { section: 'servces' });
    expect(section.next).toEqual({ tool: 'argus_schema', arguments: { section: 'services' } });
  });
});

describe('resources and prompts', () => {
  it('tell the last report, the configuration, what happened, and about each code', async () => {
    const { client, call } = await inProcess(await processProject());
    const read = async (uri: string) => {
      const [first] = (await client.readResource({ uri })).contents;
      return first && 'text' in first ? first.text : '';
    };
    expect(await read('argus://report')).toBe('null');
    await call('argus_preflight_check', { skipDiskCheck: true });
    expect(JSON.parse(await read('argus://report'))).toMatchObject({ project: 'shop', overall: 'healthy' });
    expect(JSON.parse(await read('argus://events')).map(({ type }: { type: string }) => type)).toContain(
      'preflight_end',
    );
    expect(await read('argus://config')).toContain('"shop"');
    expect(await call('argus_setup')).toMatchObject({ ok: true });
    expect(JSON.parse(await read('argus://report'))).toMatchObject({ checks: expect.any(Array) });
    expect((JSON.parse(await read('argus://report')) as { checks: [] }).checks.length).toBeGreaterThan(1);
    await confirmed(call, 'argus_clean');
    expect(await read('argus://errors/PORT_CONFLICT')).toMatch(/^# PORT_CONFLICT\n[\s\S]*## What you can do/);
    expect(await read('argus://errors/DOCKER_UNAVAILABLE')).toContain(
      'the details names.\n\nBy the reason in the details:\n\n- not-installed: Install Docker,',
    );
    await expect(read('argus://errors/NOTHING')).rejects.toThrow('no resource');
    await expect(read('argus://else')).rejects.toThrow('no resource');
    expect((await client.listResources()).resources).toHaveLength(3);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['bring-up', 'why-unhealthy']);
    const { messages } = await client.getPrompt({ name: 'bring-up' });
    expect(JSON.stringify(messages)).toContain('argus_preflight_check');
    await expect(client.getPrompt({ name: 'else' })).rejects.toThrow('no prompt');
  });
});

describe('what an agent reads', () => {
  it('are cut where they are long, and say how to have the rest', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `service-${index}`);
    const services = Object.fromEntries(names.map((name) => [name, { command: 'sleep 1', ports: ['1'] }]));
    const leaks = Array.from({ length: 500 }, (_, index) => `pipe-${index}`).join(' ');
    const { cwd } = leakyProject({ services });
    writeFileSync(join(cwd, 'leaks'), leaks);
    const { client, call } = await inProcess(cwd);
    await call('argus_preflight_check', { only: ['tap.leaks'] });
    for (const uri of ['argus://config', 'argus://report']) {
      const [first] = (await client.readResource({ uri })).contents;
      const text = first && 'text' in first ? first.text : '';
      expect(Buffer.byteLength(text), uri).toBeLessThanOrEqual(20_000);
      expect(JSON.parse(text).truncated.more, uri).toMatch(/^Call argus_(config|preflight_check)/);
    }
    const config = await call('argus_config');
    expect(config.data).toMatchObject({ config: { services: { 'service-0': {}, 'service-149': {} } } });
    expect(config.truncated?.omitted.join()).toMatch(/services: \d+ of 150/);
  });

  it('tells what happened in the last call that changed something, and nothing that services print', async () => {
    const { client, call } = await inProcess(await processProject());
    const events = async () => {
      const [first] = (await client.readResource({ uri: 'argus://events' })).contents;
      const text = first && 'text' in first ? first.text : '[]';
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
      return (JSON.parse(text) as { type: string }[]).map(({ type }) => type);
    };
    await call('argus_setup');
    const before = await events();
    expect(before).toContain('setup_stage');
    await call('argus_logs');
    await call('argus_preflight_check', { only: ['disk'] });
    expect((await events()).slice(0, before.length)).toEqual(before);
    expect(await events()).not.toContain('log_line');
    await confirmed(call, 'argus_clean');
    expect(await events()).not.toContain('setup_stage');
    expect(await events()).toContain('service_state');
  });

  it('tells what a call does that is still at work, also when others are made beside it', async () => {
    const { client, call, session } = await inProcess(await processProject({ isSlow: true }));
    const eventsOf = async (runId: string | undefined) => {
      const [first] = (await client.readResource({ uri: 'argus://events' })).contents;
      const text = first && 'text' in first ? first.text : '[]';
      const all = JSON.parse(text) as { type: string; call?: string; data: { state?: string } }[];
      return all
        .filter((event) => event.call === runId)
        .map(({ type, data }) => `${type} ${data.state ?? ''}`);
    };
    const setup = call('argus_setup');
    await until('the service is waited for', () =>
      session.events.some(({ type, data }) => type === 'service_state' && data.state === 'waiting'),
    );
    const runId = session.calls[0]?.runId;
    const before = await eventsOf(runId);
    expect(before).toContain('service_state waiting');
    expect(await call('argus_setup')).toMatchObject({
      error: { code: 'SETUP_IN_PROGRESS' },
      pending: { runId },
    });
    await call('argus_build');
    expect(await eventsOf(runId)).toEqual(before);
    await call('argus_cancel', { runId });
    expect(await setup).toMatchObject({ error: { code: 'CANCELLED' } });
    expect((await eventsOf(runId)).slice(before.length)).toContain('setup_stage failed');
    expect(await eventsOf(undefined)).toEqual([]);
  });

  it('has the schema in outline and section by section, each of them whole', async () => {
    const { call } = await inProcess(folderWith());
    const outline = await call('argus_schema');
    expect(outline.truncated).toBeUndefined();
    const sections = Object.keys((outline.data as { properties: object }).properties);
    expect(sections).toEqual(expect.arrayContaining(['services', 'resilience', 'plugins']));
    for (const section of sections) {
      const part = await call('argus_schema', { section });
      expect(part, section).toMatchObject({ ok: true, data: { properties: { [section]: {} } } });
      expect(part.truncated, section).toBeUndefined();
    }
    expect(await call('argus_schema', { section: 'sevices' })).toMatchObject({
      ok: false,
      error: { code: 'USAGE_INVALID' },
    });
  });

  it('names the reset as the next step where a circuit holds everything back', async () => {
    const env = serverEnv({ DOCKER_HOST: 'unix:///nowhere/docker.sock' });
    const { call } = await inProcess(
      folderWith({ 'argus.config.yaml': 'services: { db: { image: "postgres:17" } }\n' }),
      { env },
    );
    for (let n = 0; n < 5; n += 1) await call('argus_preflight_check', { only: ['docker.daemon'] });
    const plan = await call('argus_plan_recovery', { only: ['docker'] });
    expect(plan).toMatchObject({ data: { hash: null, unhandled: [{ code: 'CIRCUIT_OPEN' }] } });
    expect(plan.next).toEqual({ tool: 'argus_reset_circuit', arguments: { circuit: 'docker' } });
    expect(plan.text).toMatch(/^Nothing can be repaired\. A circuit holds calls back/);
  });
});

describe('what cannot be looked at', () => {
  it('is told as such: a broken configuration is none in use', async () => {
    const { client } = await inProcess(folderWith({ 'argus.config.yaml': 'servces: {}\n' }));
    const read = async (uri: string) => {
      const [first] = (await client.readResource({ uri })).contents;
      return first && 'text' in first ? first.text : '';
    };
    expect(JSON.parse(await read('argus://config'))).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_INVALID' },
    });
    expect(await read('argus://errors/CONFIG_INVALID')).toMatch(/^# CONFIG_INVALID/);
    await expect(read('argus://errors/%zz')).rejects.toThrow('no resource');
  });

  it('is not looked at once more as the next step', async () => {
    const env = serverEnv({ DOCKER_HOST: 'unix:///nowhere/docker.sock' });
    const { call } = await inProcess(folderWith(), { env });
    const checked = await call('argus_preflight_check', { only: ['docker'] });
    expect(checked).toMatchObject({ ok: true, data: { overall: 'unhealthy' } });
    expect(checked.next).toEqual({ tool: 'argus_explain', arguments: { name: 'DOCKER_UNAVAILABLE' } });
  });
});

const server = `import { createServer } from 'node:http';
createServer((_, response) => response.end('well')).listen(Number(process.env.PORT));`;
