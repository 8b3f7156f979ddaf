/** What may be the target of a click: nothing that a terminal could take for an instruction. */
const target = /^https?:\/\/[\x21-\x7e]+$/;

/** A text that leads somewhere when it is clicked, as terminals understand it (OSC 8). Anything but a web address is left as it is. */
export function linked(text: string, url: string): string {
  return target.test(url) ? `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\` : text;
}

/** Terminals that say who they are by a variable of their own. */
const variables = [
  'WT_SESSION',
  'KONSOLE_VERSION',
  'KITTY_WINDOW_ID',
  'WEZTERM_PANE',
  'DOMTERM',
  'GHOSTTY_RESOURCES_DIR',
];

const programs = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'rio', 'Tabby', 'zed'];

/**
 * Whether a terminal is known to understand links. One that is not gets plain addresses, which most of them find by themselves;
 * `FORCE_HYPERLINK` decides where this guesses wrong.
 */
export function understandsLinks(env: Readonly<Record<string, string | undefined>>): boolean {
  const { FORCE_HYPERLINK: forced, TERM = '', TERM_PROGRAM = '', VTE_VERSION } = env;
  if (forced !== undefined && forced !== '') return forced !== '0';
  // What stands between may be too old to let them through, and prints them instead.
  if (TERM === 'dumb' || env.CI || env.TMUX || env.STY) return false;
  if (Number(VTE_VERSION) >= 5000 || programs.includes(TERM_PROGRAM)) return true;
  return /^(xterm-kitty|alacritty|foot|xterm-ghostty)/.test(TERM) || variables.some((name) => env[name]);
}
