import { type Findings, findingsOf } from './findings.js';
import type { FormatScene, ProgramFormat, WrittenResult } from './program-format.js';

/** Makes the format of a check from a way to write what it found. Help and the version are plain text in all of them. */
export function ofCheck(write: (findings: Findings, scene: FormatScene) => WrittenResult): ProgramFormat {
  return {
    result: (outcome, scene) =>
      outcome.text === undefined ? write(findingsOf(outcome, scene), scene) : { text: outcome.text },
  };
}
