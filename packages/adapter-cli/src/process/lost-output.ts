/** What is said when what was printed is lost, as on a full disk. Said as it stands: at that point nothing is loaded for it. */
export const lostOutput = [
  'error: what was printed could not be written',
  'code: OUTPUT_UNWRITABLE',
  'next: make room where it goes, or send it elsewhere, and try again',
  '',
].join('\n');
