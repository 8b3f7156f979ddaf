import type { internalError } from '@argusai/core';
import type { Session } from '../session/session.js';
import { tellError } from './tell-error.js';

/** Not taken from core: the server is there before core is loaded. */
const code: (typeof internalError)['code'] = 'INTERNAL_ERROR';

/**
 * From now on says on stderr what was under way when somebody else's code ends the process: its client only sees that the connection
 * is closed. Gives the way to stop that, for when the server itself ends.
 */
export function tellEarlyEnd(session: Session): () => void {
  const tell = (exitCode: number) => {
    const tools = session.underWay.map(({ tool }) => tool);
    const what = tools.length === 0 ? 'no call' : tools.join(', ');
    const message = `The server was ended with exit code ${exitCode} by code that it has loaded, such as a plugin, while ${what} was under way`;
    tellError({ message, code }, 'take process.exit out of the plugin; argus plugins lists what is loaded');
  };
  process.once('exit', tell);
  return () => void process.off('exit', tell);
}
