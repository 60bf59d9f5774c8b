import { expect, test } from 'vitest';
import { ASSISTANTS, type AssistantId, addressOf, type Connection, waysOf } from './setups.ts';

const TOKEN = 'rp_token-of_this_test';
const at = (more: Partial<Connection> = {}): Connection => ({
  origin: 'https://redpen.example.com',
  token: TOKEN,
  isReadOnly: false,
  ...more,
});

/** All texts to copy, by the name of the way. */
const codesOf = (id: AssistantId, connection = at()) =>
  Object.fromEntries(
    waysOf(id, connection).map(({ id: way, steps }) => [way, steps.map(({ code }) => code)]),
  );

const jsonOf = (id: AssistantId, way: string, connection = at()) =>
  JSON.parse(codesOf(id, connection)[way]![0]!);

const authorization = `Bearer ${TOKEN}`;

test('the address of an assistant that only reads is another one', () => {
  expect(addressOf(at())).toBe('https://redpen.example.com/mcp');
  expect(addressOf(at({ isReadOnly: true }))).toBe('https://redpen.example.com/mcp/readonly');
});

test('Claude Code is connected by one command, or by a file of the project without the token', () => {
  const { command, file } = codesOf('claude-code');
  expect(command).toEqual([
    `claude mcp add --transport http redpen https://redpen.example.com/mcp --header "Authorization: Bearer ${TOKEN}"`,
  ]);
  expect(JSON.parse(file![0]!)).toEqual({
    mcpServers: {
      redpen: {
        type: 'http',
        url: 'https://redpen.example.com/mcp',
        headers: { Authorization: `Bearer \${REDPEN_TOKEN}` },
      },
    },
  });
  expect(file![1]).toBe(`export REDPEN_TOKEN="${TOKEN}"`);
});

test('Codex reads the token from the environment', () => {
  expect(codesOf('codex').file).toEqual([
    '[mcp_servers.redpen]\nurl = "https://redpen.example.com/mcp"\nbearer_token_env_var = "REDPEN_TOKEN"',
    `export REDPEN_TOKEN="${TOKEN}"`,
  ]);
});

test.each([
  [
    'cursor',
    {
      mcpServers: {
        redpen: { url: 'https://redpen.example.com/mcp', headers: { Authorization: authorization } },
      },
    },
  ],
  [
    'windsurf',
    {
      mcpServers: {
        redpen: { serverUrl: 'https://redpen.example.com/mcp', headers: { Authorization: authorization } },
      },
    },
  ],
  [
    'zed',
    {
      context_servers: {
        redpen: { url: 'https://redpen.example.com/mcp', headers: { Authorization: authorization } },
      },
    },
  ],
  [
    'gemini',
    {
      mcpServers: {
        redpen: { httpUrl: 'https://redpen.example.com/mcp', headers: { Authorization: authorization } },
      },
    },
  ],
] as const)('%s has its own names for the address', (id, file) => {
  expect(jsonOf(id, 'file')).toEqual(file);
});

test('VS Code asks for the token, which is in no file', () => {
  const [file, token] = codesOf('vscode').file!;
  expect(JSON.parse(file!)).toEqual({
    inputs: [
      { type: 'promptString', id: 'redpen-token', description: 'Personal token of Redpen', password: true },
    ],
    servers: {
      redpen: {
        type: 'http',
        url: 'https://redpen.example.com/mcp',
        headers: { Authorization: `Bearer \${input:redpen-token}` },
      },
    },
  });
  expect(token).toBe(TOKEN);
});

test('a program that starts its servers itself starts the command of a checkout, with the token in the environment', () => {
  expect(jsonOf('other', 'program')).toEqual({
    mcpServers: {
      redpen: {
        command: 'npm',
        args: [
          'run',
          '--silent',
          '--prefix',
          '/path/to/redpen',
          'redpen',
          '--',
          'mcp',
          '--url',
          'https://redpen.example.com',
        ],
        env: { REDPEN_TOKEN: TOKEN },
      },
    },
  });
});

test('a hosted assistant gets the address alone', () => {
  expect(codesOf('hosted', at({ isReadOnly: true }))).toEqual({
    address: ['https://redpen.example.com/mcp/readonly'],
  });
});

test('each way has the address, shows the token once, and names no other origin', () => {
  for (const { id } of ASSISTANTS) {
    for (const [way, codes] of Object.entries(codesOf(id))) {
      const all = codes.join('\n');
      expect([id, way, all.split('https://').length]).toEqual([id, way, 2]);
      expect([id, way, all.split(TOKEN).length]).toEqual([id, way, id === 'hosted' ? 1 : 2]);
    }
  }
});

test('an address that shells would read as a pattern is quoted in commands', () => {
  const local = at({ origin: 'http://[::1]:8080' });
  expect(codesOf('claude-code', local).command![0]).toContain(' redpen "http://[::1]:8080/mcp" --header ');
  expect(codesOf('gemini', local).command![0]).toMatch(/ redpen "http:\/\/\[::1\]:8080\/mcp"$/);
  expect(codesOf('codex', local).file![0]).toContain('url = "http://[::1]:8080/mcp"');
  expect(jsonOf('cursor', 'file', local).mcpServers.redpen.url).toBe('http://[::1]:8080/mcp');
});
