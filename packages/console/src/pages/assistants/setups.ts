import type { Scope } from '../../data/identity.ts';

/** Where an assistant finds the service, and with which token. */
export interface Connection {
  /** Origin of the console, such as `https://redpen.example.com`. */
  origin: string;
  /** The personal token; hosted assistants need none. */
  token: string;
  isReadOnly: boolean;
}

/** A text to copy, and what is done with it. */
export interface Step {
  /** The task of the person, as a sentence with code in backticks. */
  instruction: string;
  /** Name of the text, which is unique within the way. */
  label: string;
  code: string;
}

/** One of several ways to connect an assistant. */
export interface Way {
  id: string;
  title: string;
  steps: readonly Step[];
}

/** The assistants, with the place of their configuration. */
export const ASSISTANTS = [
  { id: 'claude-code', name: 'Claude Code', place: 'a command' },
  { id: 'codex', name: 'Codex CLI', place: 'config.toml' },
  { id: 'cursor', name: 'Cursor', place: 'mcp.json' },
  { id: 'vscode', name: 'VS Code', place: 'mcp.json' },
  { id: 'windsurf', name: 'Windsurf', place: 'mcp_config.json' },
  { id: 'zed', name: 'Zed', place: 'settings.json' },
  { id: 'gemini', name: 'Gemini CLI', place: 'a command' },
  { id: 'hosted', name: 'Claude, ChatGPT', place: 'on the web' },
  { id: 'other', name: 'Another', place: 'any MCP client' },
] as const;
export type AssistantId = (typeof ASSISTANTS)[number]['id'];

/** A new token with what it was made for. It is shown at no other time. */
export interface MadeSetup {
  id: AssistantId;
  token: string;
  tokenId: string;
  isReadOnly: boolean;
  scopes: readonly Scope[];
}

/** The name of the server in each configuration. */
const SERVER = 'redpen';
const VARIABLE = 'REDPEN_TOKEN';

/** The address that an assistant calls. */
export const addressOf = ({ origin, isReadOnly }: Pick<Connection, 'origin' | 'isReadOnly'>): string =>
  `${origin}${isReadOnly ? '/mcp/readonly' : '/mcp'}`;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A word of a command in sh, PowerShell and cmd. Addresses and tokens contain no `"`, `$` or backslash. */
const word = (text: string): string => (/^[\w@%+:,./-]+$/.test(text) ? text : `"${text}"`);

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const header = ({ token }: Connection): string => `--header "Authorization: Bearer ${token}"`;

const variableOf = ({ token }: Connection, program: string): Step => ({
  instruction: `Set the variable where ${program} starts, such as in the profile of your shell. In PowerShell, write \`$env:${VARIABLE} = "…"\`.`,
  label: 'Environment variable',
  code: `export ${VARIABLE}="${token}"`,
});

/** A file with one server under `servers`, whose address is under `url`. */
const fileWith = (connection: Connection, servers: string, url: string, token = connection.token): string =>
  json({ [servers]: { [SERVER]: { [url]: addressOf(connection), headers: bearer(token) } } });

const claudeCode = (connection: Connection): Way[] => [
  {
    id: 'command',
    title: 'One command',
    steps: [
      {
        instruction:
          'Run this in the folder of your project. With `--scope user` it holds for all of your projects.',
        label: 'Command',
        code: `claude mcp add --transport http ${SERVER} ${word(addressOf(connection))} ${header(connection)}`,
      },
    ],
  },
  {
    id: 'file',
    title: 'File of the project',
    steps: [
      {
        instruction:
          'Write this to `.mcp.json` in your project. The token is not in it, so you can commit the file.',
        label: '.mcp.json',
        code: json({
          mcpServers: {
            [SERVER]: { type: 'http', url: addressOf(connection), headers: bearer(`\${${VARIABLE}}`) },
          },
        }),
      },
      variableOf(connection, 'Claude Code'),
    ],
  },
];

const codex = (connection: Connection): Way[] => [
  {
    id: 'file',
    title: 'File',
    steps: [
      {
        instruction: 'Add this to `~/.codex/config.toml`.',
        label: 'config.toml',
        code: [
          `[mcp_servers.${SERVER}]`,
          `url = ${JSON.stringify(addressOf(connection))}`,
          `bearer_token_env_var = "${VARIABLE}"`,
        ].join('\n'),
      },
      variableOf(connection, 'Codex'),
    ],
  },
];

const cursor = (connection: Connection): Way[] => [
  {
    id: 'file',
    title: 'File',
    steps: [
      {
        instruction: 'Write this to `~/.cursor/mcp.json`, or add the server to those that are there.',
        label: 'mcp.json',
        code: fileWith(connection, 'mcpServers', 'url'),
      },
    ],
  },
  {
    id: 'project',
    title: 'File of the project',
    steps: [
      {
        instruction:
          'Write this to `.cursor/mcp.json` in your project. The token is not in it, so you can commit the file.',
        label: 'mcp.json',
        code: fileWith(connection, 'mcpServers', 'url', `\${env:${VARIABLE}}`),
      },
      variableOf(connection, 'Cursor'),
    ],
  },
];

const vscode = (connection: Connection): Way[] => [
  {
    id: 'file',
    title: 'File',
    steps: [
      {
        instruction:
          'Write this to `.vscode/mcp.json` in your project. The token is not in it, so you can commit the file.',
        label: 'mcp.json',
        code: json({
          inputs: [
            {
              type: 'promptString',
              id: 'redpen-token',
              description: 'Personal token of Redpen',
              password: true,
            },
          ],
          servers: {
            // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code puts the input there.
            [SERVER]: { type: 'http', url: addressOf(connection), headers: bearer('${input:redpen-token}') },
          },
        }),
      },
      {
        instruction:
          'Start the server with the button that VS Code shows above it, and enter the token when it asks. VS Code keeps it encrypted.',
        label: 'Token',
        code: connection.token,
      },
    ],
  },
];

const windsurf = (connection: Connection): Way[] => [
  {
    id: 'file',
    title: 'File',
    steps: [
      {
        instruction:
          'Write this to `~/.codeium/windsurf/mcp_config.json`, or add the server to those that are there. Then refresh the list of MCP servers.',
        label: 'mcp_config.json',
        code: fileWith(connection, 'mcpServers', 'serverUrl'),
      },
    ],
  },
];

const zed = (connection: Connection): Way[] => [
  {
    id: 'file',
    title: 'File',
    steps: [
      {
        instruction: 'Add this to the settings of Zed, which `zed: open settings file` opens.',
        label: 'settings.json',
        code: fileWith(connection, 'context_servers', 'url'),
      },
    ],
  },
];

const gemini = (connection: Connection): Way[] => [
  {
    id: 'command',
    title: 'One command',
    steps: [
      {
        instruction:
          'Run this in the folder of your project. With `--scope user` it holds for all of your projects.',
        label: 'Command',
        code: `gemini mcp add --transport http ${header(connection)} ${SERVER} ${word(addressOf(connection))}`,
      },
    ],
  },
  {
    id: 'file',
    title: 'File',
    steps: [
      {
        instruction: 'Add this to `~/.gemini/settings.json`.',
        label: 'settings.json',
        code: fileWith(connection, 'mcpServers', 'httpUrl'),
      },
    ],
  },
];

const hosted = (connection: Connection): Way[] => [
  {
    id: 'address',
    title: 'Address',
    steps: [
      {
        instruction:
          'In the settings of the assistant, add a custom connector with this address. It sends you back here, where you choose what it may do.',
        label: 'Address',
        code: addressOf(connection),
      },
    ],
  },
];

const other = (connection: Connection): Way[] => [
  {
    id: 'http',
    title: 'By HTTP',
    steps: [
      {
        instruction:
          'Most clients read a file like this. Some have other names for its fields; the transport is streamable HTTP.',
        label: 'Configuration',
        code: json({
          mcpServers: {
            [SERVER]: { type: 'http', url: addressOf(connection), headers: bearer(connection.token) },
          },
        }),
      },
    ],
  },
  {
    id: 'program',
    title: 'As a program',
    steps: [
      {
        instruction:
          'For clients that start their servers themselves. It needs Redpen on the same machine: name its folder in place of `/path/to/redpen`.',
        label: 'Configuration',
        code: json({
          mcpServers: {
            [SERVER]: {
              command: 'npm',
              args: [
                ...['run', '--silent', '--prefix', '/path/to/redpen', 'redpen', '--'],
                ...['mcp', '--url', connection.origin],
              ],
              env: { [VARIABLE]: connection.token },
            },
          },
        }),
      },
    ],
  },
];

const WAYS: Record<AssistantId, (connection: Connection) => Way[]> = {
  'claude-code': claudeCode,
  codex,
  cursor,
  vscode,
  windsurf,
  zed,
  gemini,
  hosted,
  other,
};

/** The ways to connect an assistant, the usual one first. */
export const waysOf = (id: AssistantId, connection: Connection): Way[] => WAYS[id](connection);

export const nameOf = (id: AssistantId): string => ASSISTANTS.find((one) => one.id === id)!.name;
