/** Control characters within brackets of an expression. Written out: a JSON Schema has no flags, so that it knows no classes. */
export const controlCharacters = '\\x00-\\x1f\\x7f-\\x9f';

/** A text of one line, without control characters. */
export const oneLine = new RegExp(`^[^${controlCharacters}]*$`);
