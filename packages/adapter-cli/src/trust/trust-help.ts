import type { InputField } from '../command-line/input-fields.js';

const flag = { kind: 'boolean', many: false, required: false, fallback: false } as const;

/** What can be said to `argus trust`. */
export const trustFields: readonly InputField[] = [
  {
    key: 'folder',
    option: 'folder',
    kind: 'text',
    many: false,
    required: false,
    placement: { at: 'arguments', shown: 'DIR' },
  },
  { ...flag, key: 'list', option: 'list', description: 'Show what was agreed to' },
  { ...flag, key: 'revoke', option: 'revoke', description: 'Forget it, as if argus was never run there' },
];

/** The examples in the help about `argus trust`. */
export const trustExamples = ['argus trust /srv/shared/shop', 'argus trust --list', 'argus trust --revoke .'];

/** What `argus trust` is for. */
export const trustSummary = 'Let argus run what lies in a folder that others own or may write';

/** The help about `argus trust`. */
export const trustHelp = `Usage: argus trust [DIR] [--list] [--revoke]

${trustSummary}

A configuration and its plugins are code. What you own you agree to by typing a command there; what others own or may write is refused until you say here that you trust them, for the folder and all that lies in it (default the current one). It also lets agents work there. In CI name folders in ARGUS_TRUST, parted as in PATH, or * for all.

Options:
  --list    Show what was agreed to, by whom it was said and when
  --revoke  Forget it, as if argus was never run there

Examples:
${trustExamples.map((line) => `  ${line}`).join('\n')}
`;
