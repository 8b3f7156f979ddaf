/**
 * What a terminal takes for an order or shows nothing of, also where an escape is spelled out as in JSON and in source code. It would hide
 * a label from its value, and part a secret in two.
 */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand between a label and its value.
  /(?:\x1b|\\+(?:u001b|x1b|033|e))\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|[\p{Bidi_Control}\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/giu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these begin what is looked for; nearly no text has one.
const mayHave =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u206f\ufeff\ufff9-\ufffb\udb40]|\\(?:u001b|x1b|033|e)\[/i;

/** A text as a reader sees it, without escapes and what is not seen. */
export function plainText(text: string): string {
  return mayHave.test(text) ? text.replace(unseen, '') : text;
}
