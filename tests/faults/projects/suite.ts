import { fileURLToPath } from 'node:url';
import type { World } from '../world/world.js';

const program = fileURLToPath(new URL('../fixtures/suite.mjs', import.meta.url));

/** A suite that passes when a URL answers, or a command ends well, after something has been broken. */
export function suite(world: World, subject: string, id = 'smoke') {
  const environment = { PATIENCE_MS: String(world.patienceMs) };
  return { id, command: [process.execPath, program, subject], environment };
}

/** Restarts as they are by default, but so soon that nobody has to wait. */
export const soon = { restartDelay: '200ms', stabilityWindow: '300ms' };
