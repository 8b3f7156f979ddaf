import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';

/**
 * What makes the connections of one check. None is kept and no session resumed, so that each target shows what it does for somebody
 * who comes for the first time; and no proxy of the surroundings is used.
 */
export class Agents {
  #http: HttpAgent | undefined;
  #https: HttpsAgent | undefined;

  /** The module that speaks a URL's protocol, and the agent for it. Loaded when first needed: each start would pay for it. */
  async for(url: string) {
    if (url.startsWith('https:')) {
      const { request, Agent } = await import('node:https');
      this.#https ??= new Agent({ keepAlive: false, maxCachedSessions: 0 });
      return { request, agent: this.#https };
    }
    const { request, Agent } = await import('node:http');
    this.#http ??= new Agent({ keepAlive: false });
    return { request, agent: this.#http };
  }
}
