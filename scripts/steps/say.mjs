/**
 * Tells the person at the terminal what is going on. Standard output belongs to the program that is run.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
