import { relative } from 'node:path';
import ts from 'typescript';

/**
 * An entry point of a package: what people import, and the declarations that stand for it.
 * @typedef {{ specifier: string, file: string }} EntryPoint
 */

const options = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  skipLibCheck: true,
};

/** How a declaration speaks of what is in these; of everything else by its name alone. Where a file lies is no part of the API. */
const namespaces = new Map([
  ['zod', 'z.'],
  ['zod/v4/core', 'z.core.'],
]);

/**
 * Everything that can be imported from a package, declaration by declaration, and what those refer to without its being exported.
 * @param {string} name
 * @param {readonly EntryPoint[]} entries
 * @param {ts.Program} program
 * @param {string} folder The package's; what others declare is in their reports.
 * @returns {string}
 */
export function apiReport(name, entries, program, folder) {
  const checker = program.getTypeChecker();
  /** @type {Set<ts.Symbol>} */
  const told = new Set();
  const parts = entries.map(({ specifier, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined)
      throw new Error(`${relative(folder, file)} declares nothing; build first: npm run build`);
    const exported = checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: symbol.name, symbol: aliased(symbol, checker) }));
    for (const { symbol } of exported) told.add(symbol);
    const reached = reachedFrom(
      exported.map(({ symbol }) => symbol),
      told,
      checker,
      folder,
    ).map((symbol) => ({ name: symbol.name, symbol }));
    return [
      `## \`${specifier}\`\n`,
      block(exported),
      ...(reached.length === 0 ? [] : ['Not exported, but what the above refers to:\n', block(reached)]),
    ].join('\n');
  });
  return `# The API of ${name}\n\nWritten by \`npm run api\` from the declarations that were built. A change here is a change for those who use the package.\n\n${parts.join('\n')}`;
}

/**
 * A program over the entry points of all packages.
 * @param {readonly EntryPoint[]} entries
 */
export function apiProgram(entries) {
  return ts.createProgram({ rootNames: entries.map(({ file }) => file), options });
}

/**
 * @param {ts.Symbol} symbol
 * @param {ts.TypeChecker} checker
 */
function aliased(symbol, checker) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/**
 * What declarations refer to, and what that refers to, as far as the package declares it and it was not told yet.
 * @param {readonly ts.Symbol[]} symbols
 * @param {Set<ts.Symbol>} told
 * @param {ts.TypeChecker} checker
 * @param {string} folder
 */
function reachedFrom(symbols, told, checker, folder) {
  /** @type {ts.Symbol[]} */
  const reached = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node);
      const symbol = found && aliased(found, checker);
      if (symbol && !told.has(symbol) && isOwnDeclaration(symbol, folder)) {
        told.add(symbol);
        reached.push(symbol);
        symbol.declarations?.forEach(visit);
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const symbol of symbols) symbol.declarations?.forEach(visit);
  return reached;
}

/**
 * Whether it is declared at the top of a file of the package.
 * @param {ts.Symbol} symbol
 * @param {string} folder
 */
function isOwnDeclaration({ declarations = [] }, folder) {
  return declarations.some((declaration) => {
    const file = declaration.getSourceFile();
    const isOurs = file.fileName.startsWith(`${folder}/dist/`);
    return isOurs && !ts.isSourceFile(declaration) && statementOf(declaration).parent === file;
  });
}

/**
 * The whole statement of a declaration: a constant is declared inside of one.
 * @param {ts.Node} node
 * @returns {ts.Node}
 */
function statementOf(node) {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node;
}

/** @param {{ name: string, symbol: ts.Symbol }[]} items */
function block(items) {
  const texts = items
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, symbol }) => {
      const text = (symbol.declarations ?? []).map((declaration) => textOf(declaration)).join('\n');
      return name === symbol.name ? text : `// as ${name}\n${text}`;
    });
  return `\`\`\`ts\n${texts.join('\n\n')}\n\`\`\`\n`;
}

/**
 * A declaration as it is written, without comments: they are no part of what others depend on.
 * @param {ts.Node} declaration
 */
function textOf(declaration) {
  if (ts.isSourceFile(declaration)) return '// a namespace';
  const printer = ts.createPrinter({ removeComments: true });
  return printer
    .printNode(ts.EmitHint.Unspecified, statementOf(declaration), declaration.getSourceFile())
    .replace(/^export (default )?/, '')
    .replace(/^declare /, '')
    .replace(/import\("([^"]+)"\)\./g, (_, module) => namespaces.get(module) ?? '');
}
