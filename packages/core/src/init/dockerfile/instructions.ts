/** One instruction of a Dockerfile. */
export interface Instruction {
  /** In capitals: `EXPOSE`. */
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile: lines that go on are joined, comments and here-documents left out. */
export function instructionsOf(dockerfile: string): Instruction[] {
  const isBacktick = /^(?:\s*#.*\n)*?\s*#\s*escape\s*=\s*`/i.test(dockerfile);
  const goesOn = isBacktick ? /`[ \t]*$/ : /\\[ \t]*$/;
  const found: Instruction[] = [];
  let begun = '';
  let documents: string[] = [];
  for (const line of dockerfile.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (documents.length > 0) {
      if (line.replace(/^\t+/, '') === documents[0]) documents = documents.slice(1);
    } else if (!/^\s*(#|$)/.test(line)) {
      begun += line.replace(goesOn, ' ');
      if (goesOn.test(line)) continue;
      const [, name = '', text = ''] = /^\s*(\w+)\s*(.*)$/s.exec(begun) ?? [];
      found.push({ name: name.toUpperCase(), text: text.trim() });
      documents = /^(RUN|COPY|ADD)$/i.test(name) ? hereDocuments(text) : [];
      begun = '';
    }
  }
  return found;
}

/** The words that end the here-documents which a line begins. */
function hereDocuments(text: string): string[] {
  return [...text.matchAll(/<<-?(["']?)([a-z_]\w*)\1/gi)].map(([, , word = '']) => word);
}
