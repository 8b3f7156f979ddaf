import type { Fault } from './fault.js';
import { fillDisk } from './fill-disk.js';
import { killService } from './kill-service.js';
import { pauseService } from './pause-service.js';
import { takePort } from './take-port.js';

/** The faults that people may let happen to their own environment. */
export const faults: readonly Fault[] = [killService, pauseService, takePort, fillDisk];
