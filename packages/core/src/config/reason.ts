import { property } from '../model/property.js';
import { packageNameOf } from './package-folder.js';

/** Why something failed, in one line: loaders of code tell with line breaks, stacks and their own decoration. */
export function reasonOf(thrown: unknown): string {
  try {
    return understood(thrown);
  } catch {
    // What was thrown breaks when it is looked at. That something was thrown is all that can be said.
    return 'something was thrown that cannot be looked at';
  }
}

function understood(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const [message = ''] = thrown.message.split(/\nRequire stack:/);
  const line = message.replace(/\s*\n\s*/g, ' ').trim();
  const reason = thrown.name === 'Error' ? line : `${thrown.name}: ${line}`;
  const missing = missingPackage(thrown);
  return missing === undefined ? reason : `${reason}, install it with "npm install ${missing}"`;
}

/** The package that some code needs and that is not installed: whoever wrote the code has it, so it is not the code that is wrong. */
function missingPackage(thrown: Error): string | undefined {
  if (!['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes(String(property(thrown, 'code'))))
    return undefined;
  const specifier = /^Cannot find (?:module|package) '([^']+)'/.exec(thrown.message)?.[1] ?? '';
  return /^(?:@[\w.-]+\/)?\w[\w.-]*(?:\/|$)/.test(specifier) ? packageNameOf(specifier) : undefined;
}
