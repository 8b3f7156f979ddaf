import * as z from 'zod';
import { duration } from '../duration.js';

/** The `environment` section. */
export const environmentSchema = z
  .strictObject({
    lease: duration()
      .default('1d')
      .describe('How long an environment that nobody uses stays up before it counts as left behind.'),
    stopTimeout: duration()
      .default('10s')
      .describe('How long a service may take to stop by itself before it is ended.'),
  })
  .prefault({})
  .describe('How long the environment of this project lives.');
