import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { argusProgram } from '../support/run-command.js';
import { freePorts, type ProcessProject, processProject, serverOn } from './process-project.js';

/** What the tests read of a run's result. */
export interface RunData {
  readonly runId: string;
  readonly exitCode: number;
  readonly suites: readonly { id: string; outcome: string; restarts: readonly { reason: string }[] }[];
  readonly setup: { readonly unchanged: boolean };
  readonly takenDown: { readonly removed: readonly { name: string }[] } | null;
  readonly incidents: readonly unknown[];
}

/** How the program ended and what it printed, byte by byte. */
export interface RunEnd {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: string;
  /** The envelope, where it was asked for. */
  json(): { ok: boolean; data: RunData; error: { code: string; message: string; details: object } };
}

/** A project of one service with suites. */
export interface RunProject extends ProcessProject {
  readonly port: number;
  /** Starts the built program with exactly these arguments. */
  launch(...args: string[]): { child: ChildProcess; ended: Promise<RunEnd> };
  /** Runs it to its end. */
  run(...args: string[]): Promise<RunEnd>;
}

/** Makes a project whose service says who it is, and whose suites are given. */
export async function runProject(suites: object[], rest: object = {}): Promise<RunProject> {
  const port = await freePorts(1);
  const services = { api: serverOn(port, { vars: { base_url: `http://localhost:${port}/v1` } }) };
  const project = await processProject({ services, tests: { suites }, ...rest });
  const launch: RunProject['launch'] = (...args) => {
    const env = { ...process.env, ARGUS_STATE_DIR: project.state };
    const child = spawn(process.execPath, [argusProgram, ...args], { cwd: project.dir, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, ended: endOf(child) };
  };
  return {
    ...project,
    port,
    launch,
    run(...args) {
      const { child, ended } = launch(...args);
      child.stdin?.end();
      return ended;
    },
  };
}

async function endOf(child: ChildProcess): Promise<RunEnd> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (chunk) => out.push(chunk));
  child.stderr?.on('data', (chunk) => err.push(chunk));
  const [code] = await once(child, 'close');
  const whole = Buffer.concat(out);
  return { code, out: whole, err: Buffer.concat(err).toString(), json: () => JSON.parse(whole.toString()) };
}

/** A command that runs a script in Node. */
export function script(text: string): string[] {
  return [process.execPath, '-e', text];
}
