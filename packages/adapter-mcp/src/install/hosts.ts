/** How a server is started, as hosts write it. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly type?: 'stdio';
}

/** A program that starts MCP servers, and where it is told which. */
export interface Host {
  readonly name: string;
  readonly title: string;
  /** Its file in the folder of the project; missing where it has none there, so that only people write it. */
  readonly file?: string;
  /** Where people find the file that is theirs. */
  readonly place: string;
  /** The key of its file under which servers are listed. */
  readonly key: 'mcpServers' | 'servers';
  readonly entry: ServerEntry;
}

const command = 'npx';
const server = ['-y', '@argusai/adapter-mcp'];
const inWorkspace = [...server, '--project', `\${workspaceFolder}`];

/** Stands for the folder of the project where a host does not know it. */
const anyFolder = '/path/to/project';

/** What a host has to be told about the project in this folder. */
export function hostFor(host: Host, folder: string): Host {
  const args = host.entry.args.map((one) => (one === anyFolder ? folder : one));
  return { ...host, entry: { ...host.entry, args } };
}

/** The common hosts. */
export const hosts: readonly Host[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    key: 'mcpServers',
    entry: { command, args: server },
    file: '.mcp.json',
    place: '.mcp.json of the project',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    key: 'mcpServers',
    entry: { command, args: inWorkspace },
    file: '.cursor/mcp.json',
    place: '.cursor/mcp.json of the project',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    key: 'servers',
    entry: { type: 'stdio', command, args: inWorkspace },
    file: '.vscode/mcp.json',
    place: '.vscode/mcp.json of the project',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    key: 'mcpServers',
    entry: { command, args: [...server, '--project', anyFolder] },
    place: 'claude_desktop_config.json, in its settings under Developer',
  },
];
