/** The examples in the help about `argus completion`, each for the shell that it names. */
export const completionExamples = [
  'source <(argus completion bash)',
  'source <(argus completion zsh)',
  'argus completion fish | source',
];

/** The help about `argus completion`. */
export const completionHelp = `Usage: argus completion SHELL

Print a script that completes argus in a shell

It completes commands, options and their choices. For names of services, checkers, circuits, suites, faults and error codes it asks argus each time, so they are those of the folder you are in. Nothing of a project is run for it: what only a configuration in TypeScript or JavaScript or a plugin of the project would know is not offered.

Arguments:
  SHELL                           bash, zsh or fish (required)

Options:
  --words KIND                    Print the names of one kind instead, one a line, as the scripts ask for them

Examples:
${completionExamples.map((line) => `  ${line}`).join('\n')}
`;
