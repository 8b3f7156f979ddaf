import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repository } from '../support/run-command.js';

/** What starts a program, and the place of the words among its arguments. */
const starters: Readonly<Record<string, number>> = {
  ...{ execa: 1, execaSync: 1, spawn: 1, spawnSync: 1, execFile: 1, execFileSync: 1, fork: 1 },
  // Those of argus that hand on what they are given.
  ...{ askDocker: 1, runDocker: 0, streamDocker: 0, runScript: 0, ps: 0 },
};

/** The same of Docker's client and of the daemon behind it: the words come first. */
const methods = ['run', 'follow', 'lines', 'call', 'stream', '#ask', '#wait', '#run'];

/** What programs are handed that `argumentList` has not made: the file, and the words as they stand in it. */
export function handedOtherwise(): string[] {
  const packages = join(repository, 'packages');
  return readdirSync(packages)
    .flatMap((name) =>
      readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
        .map((file) => join(name, 'src', file))
        .filter(
          (file) => /\.m?[jt]s$/.test(file) && !/\.test\.|\.d\.m?ts$|fixtures|core\/src\/testing/.test(file),
        ),
    )
    .flatMap((file) => wordsIn(file, readFileSync(join(packages, file), 'utf8')));
}

/** The words in one source that `argumentList` has not made. */
export function wordsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return nodesIn(source).flatMap((node) => {
    const words = ts.isCallExpression(node) ? wordsOf(node) : undefined;
    return words === undefined || isMade(words, source) ? [] : [`${file}: ${words.getText()}`];
  });
}

function wordsOf({ expression, arguments: given }: ts.CallExpression): ts.Expression | undefined {
  if (ts.isIdentifier(expression)) return given[starters[expression.text] ?? Number.NaN];
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const { name, expression: receiver } = expression;
  const isDaemon = receiver.getText() === 'this' && /\/daemon\.ts$/.test(receiver.getSourceFile().fileName);
  const isMeant = isDaemon || /(client|daemon)$/.test(receiver.getText());
  return isMeant && methods.includes(name.text) ? given[0] : undefined;
}

function isMade(words: ts.Expression, source: ts.SourceFile): boolean {
  if (ts.isConditionalExpression(words))
    return isMade(words.whenTrue, source) && isMade(words.whenFalse, source);
  // A number is no option.
  if (ts.isArrayLiteralExpression(words))
    return words.elements.every((word) => ts.isStringLiteral(word) || /^String\(pid\)$/.test(word.getText()));
  if (ts.isCallExpression(words)) {
    const called = words.expression.getText();
    if (called === 'argumentList') return true;
    const own = nodesIn(source).find((node) => ts.isFunctionDeclaration(node) && node.name?.text === called);
    const returned = own ? nodesIn(own).filter(ts.isReturnStatement) : [];
    return (
      returned.length > 0 && returned.every(({ expression }) => expression && isMade(expression, source))
    );
  }
  return ts.isIdentifier(words) && isMadeName(words, source);
}

/** Whether everything of this name in a source is made, or comes from whoever calls what starts programs. */
function isMadeName({ text }: ts.Identifier, source: ts.SourceFile): boolean {
  const named = nodesIn(source).filter(
    (node): node is ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement =>
      (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
      node.name.getText() === text,
  );
  return (
    named.length > 0 &&
    named.every((node) =>
      ts.isParameter(node)
        ? isOfStarter(node.parent)
        : node.initializer !== undefined && isMade(node.initializer, source),
    )
  );
}

function isOfStarter({ name }: ts.SignatureDeclaration): boolean {
  const called = name?.getText() ?? '';
  return Object.hasOwn(starters, called) || methods.includes(called);
}

function nodesIn(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [node];
  ts.forEachChild(node, (child) => void found.push(...nodesIn(child)));
  return found;
}
