import { defineErrorCode, diskShortage, diskSpaceLow } from '@argusai/core';
import type * as z from 'zod';

// Also a build can run out of space, so core declares this one.
export { diskSpaceLow };

/** What a shortage is reported with. */
export type Shortage = z.output<ReturnType<typeof diskShortage>>;

/** A filesystem has too few free inodes, so files cannot be made although there is space; `fatal` below half. */
export const diskInodesLow = defineErrorCode({
  code: 'DISK_INODES_LOW',
  category: 'infrastructure',
  severity: 'warning',
  summary: 'Too few free inodes',
  causes: ['Very many small files fill the filesystem, such as caches and old node_modules.'],
  remedy: 'Remove folders with many small files, or lower the option inodes of the plugin disk.',
  suggestedActions: diskSpaceLow.suggestedActions,
  details: diskShortage,
});
