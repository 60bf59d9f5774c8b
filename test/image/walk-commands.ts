import type { Container, Exit } from './container.ts';

interface Step {
  /** The command, as `redpen --help` has it. */
  command: string;
  args: string[];
  env?: Record<string, string>;
  input?: string;
  /** The exit code; 0 by default. */
  code?: number;
  /** What the output must contain. */
  says: RegExp;
}

export interface Credentials {
  REDPEN_WORKSPACE_ID: string;
  REDPEN_API_KEY: string;
  REDPEN_AUTH_TOKEN: string;
}

/** Every command with arguments that make sense on a new service, in an order in which each has what it needs. */
export const steps = (
  { REDPEN_WORKSPACE_ID: workspace, REDPEN_API_KEY: key }: Credentials,
  page: string,
): Step[] => [
  { command: 'workspace list', args: [], says: /ada@acme\.dev/ },
  { command: 'workspace show', args: [workspace], says: /Acme/ },
  { command: 'workspace token', args: [workspace, '--json'], says: /REDPEN_WORKSPACE_TOKEN/ },
  {
    command: 'workspace rotate-token',
    args: [workspace, '--json'],
    says: /REDPEN_WORKSPACE_TOKEN/,
  },
  { command: 'workspace plan', args: [workspace, 'paid'], says: /paid/ },
  { command: 'key create', args: [workspace, '--json'], says: /REDPEN_API_KEY/ },
  { command: 'key list', args: [workspace], says: new RegExp(key) },
  { command: 'key token', args: [key, '--json'], says: /REDPEN_AUTH_TOKEN/ },
  { command: 'key rotate', args: [key, '--json'], says: /REDPEN_AUTH_TOKEN/ },
  { command: 'key tokens', args: [key], says: /LAST USED/ },
  { command: 'user-token', args: [key, 'ada', '--json'], says: /REDPEN_USER_TOKEN/ },
  { command: 'webhook list', args: [key], says: /ENDPOINT/ },
  { command: 'webhook rotate-secret', args: [key, 'ep_none'], code: 1, says: /has no endpoint ep_none/ },
  { command: 'console link', args: [], says: /\/console.*#/ },
  { command: 'allow-host', args: [new URL(page).host], says: /127\.0\.0\.1/ },
  { command: 'usage', args: [], says: /API KEY/ },
  { command: 'prune', args: ['--dry-run'], says: /Nothing is older/ },
  { command: 'access explain', args: [key, 'acme', 'home', 'ada'], says: /ada/ },
  { command: 'keys rotate-signing', args: [], says: /key/ },
  { command: 'keys rotate', args: [], says: /seal/i },
  { command: 'keys rotate-old', args: ['--older-than', '90d'], says: /No token or secret is that old/ },
  { command: 'audit list', args: [workspace], says: /key\.created/ },
  { command: 'audit verify', args: [], says: /whole|intact|ok/i },
  { command: 'db', args: [], says: /PostgreSQL 18/ },
  { command: 'db carry-over', args: [], code: 1, says: /no earlier|no database|nothing|pg/i },
  { command: 'db distribute', args: ['--dry-run'], code: 1, says: /has no Citus/ },
  // The image has no psql.
  { command: 'psql', args: [], code: 127, says: /There is no psql/ },
  { command: 'backup', args: ['/data/one.tar', '--with-key'], says: /SHA-256/ },
  { command: 'backup check', args: ['/data/one.tar'], says: /whole|every hash|hashes/i },
  { command: 'backup list', args: [], env: { REDPEN_BACKUP_URL: 'file:///data' }, says: /./ },
  {
    command: 'restore',
    args: ['/data/one.tar'],
    env: { REDPEN_DATA_DIR: '/data/second' },
    says: /restored/i,
  },
  {
    command: 'move',
    args: ['--files-to', 'file:///data/files'],
    env: { REDPEN_DATA_DIR: '/data/second' },
    says: /file/i,
  },
  // Without a sandbox of the browser, which is a warning.
  { command: 'doctor', args: [], says: /Latin, Chinese, Japanese, Korean and emoji are rendered/ },
  {
    command: 'review',
    args: [page, '--max-pages', '1', '--format', 'text,html', '--output', '/data/report'],
    code: 1,
    says: /Images must have alternative text/,
  },
  { command: 'mcp', args: [], input: `${JSON.stringify(MCP_REQUEST)}\n`, says: /"serverInfo"/ },
  { command: 'key reset', args: [key, '--json'], says: /REDPEN_AUTH_TOKEN/ },
];

const MCP_REQUEST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'try-image', version: '1' },
  },
};

/** Groups that are commands as well. */
const DOES_MORE = new Set(['db', 'backup']);

/** The commands that the walk does not know, as `redpen --help` and the help of each group list them. */
export async function findUnwalked(
  walked: ReadonlySet<string>,
  help: (group: string[]) => Promise<string>,
): Promise<string[]> {
  // The walk needs the workspace that it creates.
  return (await listCommands(help)).filter((name) => name !== 'workspace create' && !walked.has(name));
}

async function listCommands(
  help: (group: string[]) => Promise<string>,
  group: string[] = [],
): Promise<string[]> {
  const output = await help(group);
  const list = /^Commands:\n([\s\S]*)/m.exec(output)?.[1] ?? '';
  const names = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
  const found = names
    .filter((name) => name !== 'help')
    .map(async (name) => {
      const below = await listCommands(help, [...group, name]);
      return [...(below.length === 0 || DOES_MORE.has(name) ? [[...group, name].join(' ')] : []), ...below];
    });
  return (await Promise.all(found)).flat();
}

export async function createWorkspace(container: Container): Promise<Credentials> {
  const { output } = await container.exec(
    'redpen workspace create ada@acme.dev --name Acme --json'.split(' '),
  );
  return JSON.parse(/^\{[\s\S]*?\}$/m.exec(output)?.[0] ?? output) as Credentials;
}

/** Runs every command, and returns a sentence for each that fails, and for each that it does not know. */
export async function walkCommands(
  container: Container,
  credentials: Credentials,
  page: string,
  onStep: (line: string) => void,
): Promise<string[]> {
  const problems: string[] = [];
  const walked = new Set<string>();
  for (const { command, args, env = {}, input, code = 0, says } of steps(credentials, page)) {
    walked.add(command);
    const words = ['redpen', ...command.split(' '), ...args];
    const exit = await container.exec(words, { env, ...(input === undefined ? {} : { input }) });
    const problem = problemOf(exit, code, says);
    onStep(`${problem === undefined ? 'ok    ' : 'FAILED'} ${words.join(' ')}`);
    if (problem !== undefined) problems.push(`${words.join(' ')}: ${problem}`);
  }
  const help = async (group: string[]) => (await container.exec(['redpen', ...group, '--help'])).output;
  const unwalked = await findUnwalked(walked, help);
  return [...problems, ...unwalked.map((name) => `redpen ${name}: the walk has no arguments for it.`)];
}

function problemOf({ code, output }: Exit, wanted: number, says: RegExp): string | undefined {
  if (code !== wanted) return `it ends with ${code} and not ${wanted}:\n${output}`;
  return says.test(output) ? undefined : `it does not print ${says}:\n${output}`;
}
