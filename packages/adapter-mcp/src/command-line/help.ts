/** The examples in the help. */
export const helpExamples = [
  'argus mcp install',
  'argus mcp install claude-code',
  'argus mcp --read-only --project .',
];

/** The program that serves and nothing else. */
export const ownName = 'argus-mcp';

/** What `argus-mcp --help` and `argus help mcp` print, by the name that it was started with. No line is wider than a terminal usually is. */
export const helpOf = (
  name: string = ownName,
): string => `${name === ownName ? `${name}, also argus mcp` : name}: the tools of argus for agents, over MCP

Usage: ${name} [options]
           serves over stdin and stdout
       ${name} --http [options]
           serves over HTTP, on this machine only
       ${name} --socket PATH [options]
           serves over HTTP at a socket that only this user may open
       ${name} install [HOST] [--write]
           shows what a host has to be told, or adds it to its file;
           --format json prints it as one envelope

Options:
  --project DIR     the folder of the project (default ARGUS_PROJECT_DIR, the
                    host's own variable, the current folder)
  --allow DIR       another folder that calls may name as projectPath; can be
                    given more than once
  --read-only       offer only tools that change nothing
  --patience SECS   answer a call that takes longer with what goes on
                    (default 45)
  --standstill SECS end work that a plugin holds up for so long (default 10)
  --http            serve over HTTP, to whoever has the token: that of
                    ARGUS_MCP_TOKEN, else one that is made and shown once
  --host ADDRESS    listen on this address (default 127.0.0.1); any other needs
                    ARGUS_MCP_TOKEN
  --port NUMBER     listen on this port (default 7333)
  --socket PATH     listen at this path instead; no token is needed there
  --version         print the version
  --help            print this

Examples:
${helpExamples.map((line) => `  ${line}`).join('\n')}
`;
