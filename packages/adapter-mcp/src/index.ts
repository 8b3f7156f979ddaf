// The public face of @argusai/adapter-mcp: the program, for `argus-mcp` and for `argus mcp`, and the help about it.

export { helpExamples, helpOf } from './command-line/help.js';
export { runMcp, type Start } from './process/run-mcp.js';
