import type { Instruction } from './instructions.js';

/** The instructions that count for the image: those of the last stage, after those of the stages that it is built on. */
export function lastStage(instructions: readonly Instruction[]): Instruction[] {
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') {
      const [, base = '', name = String(stages.length)] =
        /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?/i.exec(instruction.text) ?? [];
      const below = stages.find((stage) => stage.name === base.toLowerCase());
      stages.push({ name: name.toLowerCase(), instructions: [...(below?.instructions ?? [])] });
    } else {
      stages.at(-1)?.instructions.push(instruction);
    }
  }
  return stages.at(-1)?.instructions ?? [];
}
