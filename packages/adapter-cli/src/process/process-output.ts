import type { Output } from '../io.js';

/** The program's own way to a stream, which stays open to it when others are sent elsewhere. */
export interface ProcessOutput extends Output {
  /** Done when everything written has been taken, or there is nobody left to take it. */
  flush(): Promise<void>;
}

/** Writes to a stream of this process. A reader who goes away is not an error: there is just nobody left to tell. */
export function processOutput(stream: NodeJS.WriteStream): ProcessOutput {
  const write = stream.write.bind(stream);
  let isGone = false;
  let cursorHidden = false;
  stream.on('error', () => {
    isGone = true;
  });
  const output: ProcessOutput = {
    get isTTY() {
      return stream.isTTY === true;
    },
    // A terminal that does not tell its size says 0.
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
    write(text) {
      if (!isGone) write(text);
    },
    showCursor(visible) {
      if (cursorHidden === !visible) return;
      cursorHidden = !visible;
      output.write(visible ? '\x1b[?25h' : '\x1b[?25l');
    },
    flush: () =>
      new Promise((resolve) => {
        if (isGone) resolve();
        else write('', () => resolve());
      }),
  };
  process.once('exit', () => output.showCursor(true));
  return output;
}
