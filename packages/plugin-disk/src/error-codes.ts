import { defineErrorCode } from '@argusai/core';
import * as z from 'zod';
import { place } from './place.js';

// What is needed to clean up: plugins that may not be loaded, in which case the kernel leaves the name out.
const suggestedActions = ['orphans.clean', 'docker.prune'];

const shortage = z.object({
  /** What is left for this user. */
  available: z.number(),
  /** What there should be at least. */
  required: z.number(),
  total: z.number(),
  /** Where the filesystem begins. */
  mount: z.string(),
  /** The first of `paths`. */
  path: z.string(),
  /** Every folder that was looked at on this filesystem. */
  paths: z.array(place),
});

/** What a shortage is reported with. */
export type Shortage = z.output<typeof shortage>;

/** A filesystem has fewer free bytes than the threshold; `fatal` when fewer than half of it. */
export const diskSpaceLow = defineErrorCode({
  code: 'DISK_SPACE_LOW',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Too little free disk space',
  suggestedActions,
  details: shortage,
});

/** A filesystem has too few free inodes, so files cannot be made although there is space; `fatal` below half. */
export const diskInodesLow = defineErrorCode({
  code: 'DISK_INODES_LOW',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Too few free inodes',
  suggestedActions,
  details: shortage,
});
