import type { Session } from 'node:inspector';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where JavaScript stood, innermost first. */
export interface Frame {
  readonly url: string;
  readonly line: number;
}

/** Has the thread that a debugger is connected to stop where it is, and tells where that is; code that is not JavaScript never stops. */
export function pauseIn(debugging: Session, onPaused: (frames: readonly Frame[]) => void): void {
  const urls = new Map<string, string>();
  debugging.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void urls.set(scriptId, url));
  debugging.on('Debugger.paused', ({ params: { callFrames } }) => {
    onPaused(
      callFrames.map(({ url, location }) => ({
        url: url || (urls.get(location.scriptId) ?? ''),
        line: location.lineNumber + 1,
      })),
    );
  });
  debugging.post('Debugger.enable');
  debugging.post('Debugger.pause');
}

/** The places that are neither below our own folder nor in Node. */
export function placesIn(frames: readonly Frame[], own: string): { file: string; line: number }[] {
  return frames.flatMap(({ url, line }) => {
    const file = fileOf(url);
    return file === undefined || file.startsWith(own + sep) ? [] : [{ file, line }];
  });
}

/** The file of a script; nothing where it is none of a file, as Node's own. */
function fileOf(url: string): string | undefined {
  if (url.startsWith('file:')) return fileURLToPath(url.replace(/[?#].*$/s, ''));
  return url.includes(sep) && !url.startsWith('node:') ? url : undefined;
}
