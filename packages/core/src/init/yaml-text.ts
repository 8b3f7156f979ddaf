/** What no reader of YAML takes for anything but a text: words, paths, and numbers with a unit. */
const plain = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)(?:[a-z]|\.{0,2}\/|\d+(?:ms|[smhdkg])b?$)/i;

/** Data as YAML that every reader understands in the same way. */
export async function yamlText(data: unknown): Promise<string> {
  const { Document, visit } = await import('yaml');
  const document = new Document(data);
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && !plain.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
