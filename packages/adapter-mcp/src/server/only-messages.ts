import { Transform } from 'node:stream';
import { INVALID_REQUEST, PARSE_ERROR, parseJSONRPCMessage } from '@modelcontextprotocol/server';

/** How long a line may be, in bytes; the transport would close the connection over one of ten million. */
const maxBytes = 8_000_000;
const newline = 10;

/** What is answered to a line that is no message. */
export interface Refused {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Lets lines through that are messages. The transport drops all others without a word, and whoever sent them would wait for ever;
 * here they are answered, as JSON-RPC asks for.
 */
export function onlyMessages(refuse: (refused: Refused) => void): Transform {
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    length += piece.length;
    // What is too long will be refused, so nobody needs it.
    if (length <= maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const take = () => {
    const line = length > maxBytes ? undefined : Buffer.concat(pieces);
    [pieces, length] = [[], 0];
    return line;
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, end + 1));
        const line = take();
        const refused = line ? whyNone(line.toString('utf8')) : tooLong;
        if (refused) refuse(refused);
        else if (line) this.push(line);
        from = end + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
      done();
    },
  });
}

function refusedAs(code: number, message: string, id: string | number | null = null): Refused {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

const tooLong = refusedAs(INVALID_REQUEST, `A message may have ${maxBytes} bytes at most`);

/** Why a line is no message. An empty one is nothing at all, which the transport knows. */
function whyNone(line: string): Refused | undefined {
  if (line.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refusedAs(PARSE_ERROR, 'Parse error: a message is one line of JSON');
  }
  try {
    parseJSONRPCMessage(value);
    return undefined;
  } catch {
    const { id } = (value ?? {}) as { id?: unknown };
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    return refusedAs(INVALID_REQUEST, 'Invalid request: this is no message of JSON-RPC 2.0', known);
  }
}
