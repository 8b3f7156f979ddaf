import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TestOutput } from '../../packages/adapter-cli/src/fixtures/test-io.js';
import { LiveRegion } from '../../packages/adapter-cli/src/rendering/live/live-region.js';
import type { Line } from '../../packages/adapter-cli/src/rendering/text/line.js';
import { cut, paint } from '../../packages/adapter-cli/src/rendering/text/line.js';

const [columns, rows] = [24, 8];
const text = fc.stringMatching(/^[a-z漢字🚀é .]{0,30}$/u);
const lines = fc.array(text, { minLength: 1, maxLength: 14 }).map((all) => all.map((one): Line => [one]));
/** What happens to a region: it is drawn, or somebody else says something. */
const said = text.map((one) => paint([cut([one], columns - 1)], { color: false }).trim()).filter(Boolean);
const steps = fc.array(fc.oneof(lines, said), { maxLength: 8 });

/** An output whose text goes to a terminal emulator, and which can be claimed. */
function emulated() {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 500, allowProposedApi: true });
  const output = Object.assign(new TestOutput(), { columns, rows });
  let say = (_: string): void => undefined;
  const claim = (take: (text: string) => void) => {
    say = take;
    return { write: (one: string) => output.write(one), release: () => undefined };
  };
  const screen = async () => {
    // A terminal of the system does this by itself.
    await new Promise<void>((resolve) => terminal.write(output.text.replaceAll('\n', '\r\n'), resolve));
    const { active } = terminal.buffer;
    const all = Array.from({ length: active.length }, (_, index) =>
      active.getLine(index)?.translateToString(true),
    );
    terminal.dispose();
    return all.join('\n').trimEnd();
  };
  return { output: Object.assign(output, { claim }), say: (one: string) => say(one), screen };
}

it('leaves on a real screen what others said and what it ended with, and nothing of what it drew before', async () => {
  await fc.assert(
    fc.asyncProperty(steps, lines, async (all, last) => {
      const { output, say, screen } = emulated();
      const region = new LiveRegion(output, { color: false });
      for (const step of all) {
        if (typeof step === 'string') say(step);
        else region.draw(step);
      }
      const fitting = last.map((line) => cut(line, columns - 1));
      region.finish(fitting);
      const others = all.filter((step) => typeof step === 'string');
      const expected = [...others.map((one) => `${one}\n`), paint(fitting, { color: false })].join('');
      expect(await screen()).toBe(expected.replace(/ +$/gm, '').trimEnd());
    }),
    { numRuns: 150 },
  );
});
