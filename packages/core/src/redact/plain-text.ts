/** What turns the direction of a text round, or is there and not seen: so a text reads as another one than it is. */
export const unseenCharacters = String.raw`[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`;

/** An order to a terminal. */
export const terminalOrder = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -\/]*[@-~]|\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -\/]*.`;

const controls = String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]`;
/** How one begins where it is spelled out, as in JSON and in source code. */
const spelled = String.raw`\\(?:u001b|u\{1b\}|x1b|033|e)\[`;

const unseen = new RegExp(
  String.raw`${terminalOrder}|\\*${spelled}[0-?]*[ -\/]*[@-~]|${controls}|${unseenCharacters}`,
  'giu',
);

/** Nearly no text has one of these. */
const mayHave = new RegExp(`${controls}|${unseenCharacters}|${spelled}`, 'iu');

/** A text as a reader sees it: what a terminal takes for an order would hide a label from its value, or part a secret in two. */
export function plainText(text: string): string {
  return mayHave.test(text) ? text.replace(unseen, '') : text;
}
