// The public face of @argusai/adapter-mcp: the program, for `argus-mcp` and for `argus mcp`.

export { runMcp, type Start } from './process/run-mcp.js';
