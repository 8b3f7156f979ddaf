// The server itself with the SDK. It is a file of its own, because the process that only starts it needs none of this.

export { serve } from './process/serve.js';
