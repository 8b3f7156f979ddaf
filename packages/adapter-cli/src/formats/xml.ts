/** An element of an XML document. Attributes without a value are left out. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly content?: string | readonly XmlElement[];
}

/** Writes an element and everything in it as a document. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}`;
}

function write({ name, attributes, content = [] }: XmlElement, indent: string): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const start = `${indent}<${name}${given.map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`).join('')}`;
  if (content.length === 0) return `${start}/>\n`;
  if (typeof content === 'string') return `${start}>${escapeXml(content, '\n')}</${name}>\n`;
  return `${start}>\n${content.map((child) => write(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Readers of XML 1.0 refuse these, however they are written. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Line breaks and tabs are written as numbers, because readers make spaces of them in attributes. */
function escapeXml(text: string, kept = ''): string {
  return text
    .replace(forbidden, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (character) =>
      character === kept ? character : (entities[character] ?? `&#${character.charCodeAt(0)};`),
    );
}
