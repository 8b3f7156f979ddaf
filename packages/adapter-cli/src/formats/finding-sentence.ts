import { findingTitle } from './finding-title.js';
import { argusItself, type Finding } from './findings.js';

/** What was looked at and what there is to say of it. What argus says of itself needs no name before it. */
export function findingSentence(finding: Finding): string {
  const { check, message } = finding;
  return check === argusItself ? message : `${findingTitle(finding)}: ${message}`;
}
