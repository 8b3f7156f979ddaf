import type { PortAssignment } from '../runs/run-record.js';

/** A text in which the names of services, as in `http://pay:9090/`, lead to the ports that they have instead of those that they asked for. */
export function withMovedNames(text: string, moved: readonly PortAssignment[]): string {
  return text.replace(/(?<![\w.-])([\w.-]+):(\d+)(?!\d)/g, (whole, name: string, port: string) => {
    const found = moved.find(
      ({ service, originalPort }) => service === name && originalPort === Number(port),
    );
    return found ? `${name}:${found.actualPort}` : whole;
  });
}

/** The ports that services asked for and do not have, as far as a text spells them out after their names. */
export function movedNamesIn(text: string, moved: readonly PortAssignment[]): PortAssignment[] {
  return moved.filter((one) => withMovedNames(text, [one]) !== text);
}
