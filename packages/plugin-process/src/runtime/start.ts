import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import {
  ArgusError,
  configKey,
  portConflict,
  type RunContext,
  type ServiceSpec,
  serviceStartFailed,
} from '@argusai/core';
import { type PreparedCommand, prepareCommand } from '../command/launch.js';
import { environmentMarks } from '../command/marks.js';
import { prepareMock, readyFile } from '../command/mock-launch.js';
import type { KeeperState } from '../programs/keeper-state.mjs';
import type { ProcessRecord } from '../records/process-record.js';
import { isRunning, look } from '../records/sighting.js';
import { orNoRoom } from '../system/no-room.js';
import { takenPort } from '../system/taken-port.js';
import { endProcess } from './end-process.js';
import { endStrays } from './end-strays.js';
import { mockListens } from './mock-listens.js';
import { refuseMisled } from './refuse-misled.js';
import type { Tools } from './tools.js';
import { whyNotStarted } from './why-not-started.js';

/**
 * Starts a service. One of the same run that has ended is started again in its place and keeps its output and its
 * history; by its old keeper, which is quicker, when nothing about it has changed.
 */
export async function startService(
  tools: Tools,
  service: ServiceSpec,
  spec: string,
  context: RunContext,
): Promise<void> {
  context.signal.throwIfAborted();
  const before = await tools.records.find(context.run.id, service.name);
  const sighting = before && (await look(before));
  if (sighting && isRunning(sighting)) {
    throw failed(service, 'name-taken', `${service.name} of the run ${context.run.id} runs already`);
  }
  const dir = before?.dir ?? tools.records.folderOf(context.run.id, service.name);
  const record = recordOf(service, spec, dir, context);
  try {
    // What it has left running when it ended may hold the very port that it is to have again.
    if (before) await clearAway(tools, before, context);
    await refuseTakenPorts(service);
    if (service.routes) refuseMisled(service, context);
    // What an earlier server of this mock has said is no longer true.
    if (service.routes) await rm(readyFile(dir), { force: true });
    const state =
      sighting?.state && sighting.keeperLives && !sighting.state.released && before?.spec === spec
        ? await tools.keepers.startAgain(dir, sighting.state, context.signal)
        : await startAnew(tools, service, record, before, context);
    requireStarted(service, state, context);
    if (service.routes) await mockListens(tools, service, record, context);
  } catch (thrown) {
    const { diskSpaceThreshold: required } = tools;
    // Looked at before anything is removed, which makes room.
    const error = await orNoRoom(thrown, { service: service.name, dir, required });
    await endProcess(tools, record, { graceMs: 0 });
    throw error;
  }
}

/** Ends what an earlier start has left. What does not end need not be in the way, so that it is only told. */
async function clearAway({ clock }: Tools, before: ProcessRecord, context: RunContext): Promise<void> {
  const { events, signal } = context;
  const message = await endStrays(clock, before, { graceMs: 0, signal });
  signal.throwIfAborted();
  if (message) events.emit('service_state', { service: before.service, state: 'starting', message });
}

async function startAnew(
  tools: Tools,
  service: ServiceSpec,
  record: ProcessRecord,
  before: ProcessRecord | undefined,
  context: RunContext,
): Promise<KeeperState> {
  const { project, events, signal } = context;
  if (before) await endProcess(tools, before, { graceMs: 0, keepFolder: true });
  // Before anything is started: whoever is killed from here on leaves something that can be found.
  await tools.records.save(record);
  const command = service.routes
    ? await prepareMock(service, record.dir, context)
    : prepareCommand(service.command ?? [], service, project);
  const message = remarksOn(service, command);
  if (message) events.emit('service_state', { service: service.name, state: 'starting', message });
  if (command.argv.length === 0) throw failed(service, 'failed', `the command of ${service.name} is empty`);
  const { argv, cwd } = command;
  const env = { ...command.env, ...environmentMarks(record) };
  const launch = { argv, cwd, env, output: tools.output, oneShot: service.oneShot };
  return tools.keepers.start(record.dir, launch, signal);
}

function recordOf(
  service: ServiceSpec,
  spec: string,
  dir: string,
  { run, clock }: RunContext,
): ProcessRecord {
  const { name, oneShot, ports } = service;
  return {
    project: run.project,
    runId: run.id,
    store: run.store,
    worktree: run.worktree,
    host: hostname(),
    service: name,
    spec,
    oneShot,
    dir,
    ports: ports.map((port) => ({ ...port, host: port.host ?? port.container })),
    createdAt: clock.now(),
  };
}

async function refuseTakenPorts(service: ServiceSpec): Promise<void> {
  const taken = await takenPort(service.ports);
  if (!taken) return;
  const port = taken.host ?? taken.container;
  throw new ArgusError(portConflict, {
    message: `The port ${port} of ${service.name} is taken`,
    details: { service: service.name, port, protocol: taken.protocol },
  });
}

/** What people should know about how it is run: that there is a shell, and what a process cannot be given. */
function remarksOn(service: ServiceSpec, { shell }: PreparedCommand): string {
  const settings = ['memory', 'cpus', 'user', 'entrypoint'] as const;
  const ignored = settings.filter((name) => service[name] !== undefined);
  const shared = service.volumes.length > 0 ? [...ignored, 'volumes'] : ignored;
  return [
    ...(shell ? [`runs in a shell because ${shell}`] : []),
    ...(shared.length > 0 ? [`${shared.join(', ')} mean nothing for a process`] : []),
  ].join('; ');
}

function requireStarted(service: ServiceSpec, { failure }: KeeperState, { project }: RunContext): void {
  if (!failure) return;
  const { reason, why } = whyNotStarted(failure, project.dir);
  const message = `${service.name} could not be started in ${project.dir}: ${why}`;
  throw failed(service, reason, message);
}

function failed(service: ServiceSpec, reason: 'command-missing' | 'name-taken' | 'failed', message: string) {
  const where = { key: configKey(service, 'command') };
  return new ArgusError(serviceStartFailed, { message, details: { service: service.name, reason, where } });
}
