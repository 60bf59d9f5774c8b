import { z } from 'zod';
import { phrase } from './lib/text/phrase.ts';
import { parseAllowList } from './outside/net/allow-list.ts';
import { backupSettings } from './roles/settings/backup-settings.ts';
import { badSettings } from './roles/settings/bad-settings.ts';
import { findContradictions, findIneffective } from './roles/settings/contradictions.ts';
import { otelSettings } from './roles/settings/otel-settings.ts';
import { retentionSettings } from './roles/settings/retention-settings.ts';
import { checkNames } from './roles/settings/setting-names.ts';
import {
  blobUrl,
  checkProxy,
  flagList,
  host,
  listOf,
  masterKey,
  modelPrices,
  oneOf,
  redisUrl,
  secretWord,
  url,
  wholeNumber,
} from './roles/settings/setting-rules.ts';

/** Variables of clients of the service, most of which commands print. The service itself ignores them. */
export const CLIENT_VARIABLES: readonly string[] = [
  'REDPEN_URL',
  'REDPEN_WORKSPACE_ID',
  'REDPEN_WORKSPACE_TOKEN',
  'REDPEN_API_KEY',
  'REDPEN_AUTH_TOKEN',
  'REDPEN_USER_TOKEN',
  'REDPEN_TOKEN',
];

const provider = (name: string) => secretWord.optional().describe(`API key of ${name}.`);
const providerUrl = (name: string) =>
  url('http:', 'https:')
    .refine(
      (text) => !URL.canParse(text) || (URL.parse(text)?.username === '' && URL.parse(text)?.password === ''),
      {
        error: 'must not contain a user name or password',
      },
    )
    .optional()
    .describe(
      `Base URL of ${name}, or of a compatible server, which needs no key. The path defaults to that of ${name}, such as /v1.`,
    );

const modelName = z.string().regex(/^(claude|openai|gemini)\/\S+$/, {
  error: 'must be provider/model, with the provider claude, openai or gemini',
});

/** Throws unless the entry names a host, or the hosts below a domain: certificates are trusted for few of them. */
function checkNamedHost(entry: string): void {
  parseAllowList([entry]);
  if (entry.includes('/')) throw new Error(`must name hosts, not ranges: ${entry}`);
  if (/^\*\.[^.]+$/.test(entry)) throw new Error(`must not be all hosts of a top-level domain: ${entry}`);
}

/** Throws unless the entry is the name of a host, as a browser sends it. */
function checkHostName(entry: string): void {
  if (URL.parse(`http://${entry}`)?.hostname !== entry) throw new Error(`must be a host name: ${entry}`);
}

/** All settings. Nothing else reads the environment. */
const settings = z.object({
  HOST: host.default('127.0.0.1').describe('Address to listen on.'),
  PORT: wholeNumber(0, 65_535).default(8080).describe('Port to listen on; 0 takes a free one.'),
  REDPEN_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Folder of the embedded database, stored files and generated keys.'),
  DATABASE_URL: url('postgres:', 'postgresql:')
    .optional()
    .describe(
      'PostgreSQL server (15 or later) to use instead of the embedded one. No extension is needed; pgvector is used if available.',
    ),
  REDPEN_POSTGRES_MEMORY: wholeNumber(16, 65_536)
    .default(64)
    .describe('Memory in MB for cached pages of the embedded database.'),
  REDPEN_POSTGRES_CONNECTIONS: wholeNumber(40, 1_000)
    .default(60)
    .describe('Concurrent connections to the embedded database; the service uses up to about 36.'),
  REDIS_URL: redisUrl
    .optional()
    .describe(
      'Redis (6 or later), over which processes notify each other of changes to live documents. Without it they use PostgreSQL, which is enough for a few processes.',
    ),
  REDPEN_BLOB_URL: blobUrl
    .optional()
    .describe(
      'Storage of screenshots and uploads: file:///folder or s3://bucket/prefix?region=…&endpoint=…. By default a folder in the data directory.',
    ),
  ...backupSettings,
  REDPEN_MASTER_KEY: masterKey
    .optional()
    .describe(
      'Base64 of 32 bytes; encrypts stored secrets. By default generated at the first start in the data directory, readable only by its owner.',
    ),
  REDPEN_MASTER_KEY_PREVIOUS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(masterKey))
    .optional()
    .describe(
      'Earlier master keys, comma-separated: they decrypt secrets until `redpen keys rotate` has run.',
    ),
  REDPEN_PLAN: oneOf(['free', 'paid']).default('free').describe('Plan of new root workspaces.'),
  REDPEN_SIGNUP: oneOf(['open', 'first', 'closed'])
    .default('open')
    .describe(
      'Who may create workspaces over HTTP: open, anyone who reaches the service; first, anyone while there is no workspace; closed, no caller. The operator always may, with `redpen workspace create`.',
    ),
  REDPEN_INIT_EMAIL: z
    .email({ error: 'must be an email address' })
    .max(320)
    .optional()
    .describe(
      'Owner of the initial workspace: a start creates it, with an API key and its token, if this owner has none.',
    ),
  REDPEN_INIT_WORKSPACE: z
    .string()
    .max(200, { error: 'must have at most 200 characters' })
    .regex(/\S/, { error: 'must not be empty' })
    .optional()
    .describe('Name of that workspace when it is created.'),
  REDPEN_INIT_API_KEY: z
    .string()
    .regex(/^[\w-]{8,100}$/, { error: 'must be 8 to 100 letters, digits, _ and -' })
    .optional()
    .describe('Id of its API key. Generated by default.'),
  REDPEN_INIT_AUTH_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{32,200}$/, {
      error: 'must be 32 to 200 letters, digits and any of _ . ~ + / = -; `openssl rand -hex 32` makes one',
    })
    .optional()
    .describe(
      'Token of that API key, which replaces any that it has: a change takes effect at the next start. Generated by default; `redpen workspace create EMAIL` prints it.',
    ),
  REDPEN_UNKNOWN_FIELDS: oneOf(['warn', 'reject'])
    .default('warn')
    .describe(
      'What happens to requests with fields that their operation does not read: warn ignores the fields and reports them in the answer; reject refuses the request. The header x-redpen-strict of a request takes precedence.',
    ),
  REDPEN_WORKSPACE_RATE: wholeNumber(1, 1_000_000)
    .default(100)
    .describe('Workspaces that one IP address may create per minute.'),
  REDPEN_KEY_RATE: wholeNumber(1, 1_000_000)
    .default(3_000)
    .describe(
      'Requests that one API key may send per second. Further requests are refused before they are read.',
    ),
  REDPEN_ADDRESS_RATE: wholeNumber(1, 1_000_000)
    .default(300)
    .describe('Requests per second from one IP address (IPv6: one /64) without known credentials.'),
  REDPEN_CONNECTION_RATE: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe(
      'Connections that one IP address (IPv6: one /64) may open per second. Further connections are closed unread. Proxies of REDPEN_TRUST_PROXY are not limited.',
    ),
  REDPEN_REQUESTS_AT_ONCE: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe('Concurrent requests that one API key may have.'),
  REDPEN_LIVE_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe(
      'Live connections that one API key may have at one process; the same number of live event streams.',
    ),
  REDPEN_LIVE_ADDRESS_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(50_000)
    .describe(
      'Live connections from one IP address (IPv6: one /64) to one process; a proxy outside of REDPEN_TRUST_PROXY counts as one address.',
    ),
  REDPEN_LIVE_MESSAGES: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe(
      'Messages that all live connections of one API key may send to one process per second. Large messages, and those that go to many other connections, count as several. Further messages wait.',
    ),
  REDPEN_WEBHOOK_ENDPOINTS: wholeNumber(1, 10_000)
    .default(50)
    .describe('Advanced webhook endpoints that one API key may have.'),
  REDPEN_WEBHOOK_HOST_CONNECTIONS: wholeNumber(1, 10_000)
    .default(48)
    .describe(
      'Webhooks that one process sends concurrently to one host and port, for all API keys; names with the same address count together.',
    ),
  REDPEN_WAITING_JOBS: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe(
      'Executions of one API key that may wait to start; the same number of knowledge sources, migrations and data deletions.',
    ),
  REDPEN_DISK_RESERVE: wholeNumber(0, 10_000_000)
    .default(500)
    .describe(
      'MB to keep free on the disks of the data folder, of stored files and of temporary files, or a tenth of a disk if that is less. Below it, writes are refused, and reads and deletions continue. 0 disables it.',
    ),
  REDPEN_ATTACHMENT_MB: wholeNumber(1, 100)
    .default(10)
    .describe('Maximum size of a file that is attached to a comment, in MB.'),
  REDPEN_KEEP_AUDIT: wholeNumber(0, 36_500)
    .default(400)
    .describe('Days for which the audit log keeps its entries; 0 keeps them for ever.'),
  REDPEN_STORED_MB: wholeNumber(1, 1_000_000_000)
    .optional()
    .describe(
      'MB that one API key may store, as counted every hour and with each write. Beyond it, writes that add data are refused. Unlimited by default.',
    ),
  ...retentionSettings,
  REDPEN_ALLOW_HOSTS: listOf((entry) => parseAllowList([entry]))
    .default([])
    .describe('Comma-separated hosts, host:port or CIDRs exempt from the ban on internal addresses.'),
  REDPEN_TRUST_CERTIFICATES: listOf(checkNamedHost)
    .default([])
    .describe(
      'Comma-separated hosts, host:port or *.host whose certificates are not verified when pages are reviewed, such as staging hosts with a certificate of no known authority.',
    ),
  REDPEN_TRUST_PROXY: listOf(checkProxy)
    .default([])
    .describe(
      'Comma-separated addresses or CIDRs of reverse proxies whose x-forwarded-for, x-forwarded-host and x-forwarded-proto are trusted.',
    ),
  REDPEN_PUBLIC_URL: url('http:', 'https:')
    .refine((text) => !/[?#]|^[^/]*\/\/[^/]*@/.test(text), {
      error: 'must not contain a query, a fragment, a user name or a password',
    })
    .optional()
    .describe(
      'Address at which callers reach the service, such as https://redpen.example.com; signed links begin with it. Without it, the Host header is trusted if it comes from REDPEN_TRUST_PROXY (x-forwarded-host too), or if it names loopback or the IP address at which the request arrived; otherwise links use that IP address.',
    ),
  REDPEN_CONSOLE: oneOf(['on', 'off'])
    .default('on')
    .describe('The console in the browser, and the operations with which people sign in to it.'),
  REDPEN_CONSOLE_HOSTS: listOf(checkHostName)
    .default([])
    .describe(
      'Comma-separated host names under which the console may be used, besides loopback, IP addresses and the host of REDPEN_PUBLIC_URL. Requests of the console under other names are refused, against DNS rebinding.',
    ),
  REDPEN_ROLES: flagList(['api', 'realtime', 'worker'])
    .default(['api', 'realtime', 'worker'])
    .describe('Roles of this process: api, realtime, worker.'),
  REDPEN_LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Minimum level that is logged.'),
  REDPEN_LOG: oneOf(['pretty', 'json'])
    .optional()
    .describe(
      'Format of the log: pretty, for people, with colors on a terminal unless NO_COLOR is set; or json, one object per line. By default pretty on a terminal and json elsewhere.',
    ),
  REDPEN_SLOW_STATEMENT_MS: wholeNumber(0, 3_600_000)
    .default(1_000)
    .describe('Statements of the database that take as many milliseconds are logged. 0 logs none.'),
  REDPEN_MAX_PAGES: wholeNumber(1, 64)
    .default(4)
    .describe('Maximum number of open browser pages for all runs of this process.'),
  REDPEN_SMTP_URL: url('smtp:', 'smtps:')
    .optional()
    .describe(
      'Mail server for notifications and for owners of failing webhook endpoints: smtp://user:password@host:587, or smtps: for TLS from the first byte. Without one, mail is sent only with the SendGrid keys of callers.',
    ),
  REDPEN_MAIL_FROM: z
    .email({ error: 'must be an email address' })
    .optional()
    .describe('Sender of mail through that server.'),
  REDPEN_SENDGRID_URL: url('http:', 'https:')
    .default('https://api.sendgrid.com')
    .describe('Address of the mail provider SendGrid.'),
  CHROME_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('A Chromium to use instead of the one that is found or bundled.'),
  REDPEN_BROWSER_SANDBOX: oneOf(['on', 'off'])
    .default('on')
    .describe(
      'Sandbox of Chromium. With on, a browser is not started if the sandbox is unavailable (user namespaces are disabled, or the seccomp profile of a container forbids them), and reviews that need it fail. As root, it always runs without a sandbox.',
    ),
  OPENAI_API_KEY: provider('OpenAI'),
  OPENAI_BASE_URL: providerUrl('OpenAI'),
  ANTHROPIC_API_KEY: provider('Anthropic'),
  ANTHROPIC_BASE_URL: providerUrl('Anthropic'),
  GOOGLE_GENERATIVE_AI_API_KEY: provider('Google'),
  GOOGLE_GENERATIVE_AI_BASE_URL: providerUrl('Google'),
  REDPEN_MODEL: modelName
    .optional()
    .describe(
      'Default model of agents, as provider/model: claude/…, openai/… or gemini/…. By default a model of the first configured provider.',
    ),
  REDPEN_MODELS: listOf((entry) => {
    if (!modelName.safeParse(entry).success) throw new Error(`Not provider/model: ${entry}`);
  })
    .default([])
    .describe(
      'Comma-separated models, as provider/model, that agents and callers may choose in addition to REDPEN_MODEL. By default any.',
    ),
  REDPEN_MODEL_PRICES: modelPrices
    .default(new Map())
    .describe(
      'Comma-separated prices of a million input and output tokens, as provider/model=INPUT/OUTPUT, such as openai/gpt-5=1.25/10, in a currency of your choice. `analytics/series` then returns costs.',
    ),
  REDPEN_MODEL_OUTPUT_TOKENS: wholeNumber(256, 1_000_000)
    .optional()
    .describe(
      'Limit of output tokens that is sent with each request to a model. By default none is sent, except to Anthropic (32,000, or the known limit of the model), whose API demands one.',
    ),
  REDPEN_RUN_TOKENS: wholeNumber(1_000, 1_000_000_000)
    .default(2_000_000)
    .describe('Model tokens that one execution may use. Then its pages end with an error.'),
  REDPEN_EMBEDDINGS: z
    .string()
    .regex(/^(local|(openai|gemini):.+)$/, { error: 'must be local, openai:MODEL or gemini:MODEL' })
    .default('local')
    .describe(
      'Embedding model for the memory: local, which works offline, or openai:MODEL or gemini:MODEL of a configured provider.',
    ),
  ...otelSettings,
});

export type Config = z.infer<typeof settings>;

type Environment = Readonly<Record<string, string | undefined>>;

/** An empty value counts as absent. */
const presentIn = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  );

const namesIn = (present: Record<string, string>) =>
  checkNames(present, Object.keys(settings.shape), CLIENT_VARIABLES);

/**
 * Reads the settings from an environment. An empty value counts as absent.
 * Throws BadConfig with one line for each bad value or misspelled name.
 */
export function readConfig(env: Environment): Config {
  const present = presentIn(env);
  const parsed = settings.safeParse(present, { error: phrase });
  const problems = [
    ...namesIn(present).problems,
    ...findContradictions(present),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => {
      const setting = String(path[0]);
      return { setting, value: present[setting], rule: message };
    }),
  ];
  if (!parsed.success || problems.length > 0) throw badSettings(problems);
  return parsed.data;
}

/** Sentences about settings that have no effect, which do not prevent a start. */
export function listWarnings(env: Environment): string[] {
  const present = presentIn(env);
  return [...namesIn(present).warnings, ...findIneffective(present)];
}

export interface SettingDoc {
  name: string;
  description: string;
  /** Undefined if the description explains the default. */
  fallback: string | undefined;
}

const SAYS_ITS_DEFAULT = /\b(By default|Without (it|one))\b/;

/** Name, description and default of every setting, in order. */
export function listSettings(): SettingDoc[] {
  return Object.entries(settings.shape).map(([name, schema]) => {
    const byDefault = schema.safeParse(undefined);
    const value = byDefault.success ? byDefault.data : undefined;
    const fallback = Array.isArray(value) || value instanceof Map ? [...value].join(',') : value;
    const description = schema.description ?? '';
    const isNone = fallback === undefined || fallback === '';
    const none = SAYS_ITS_DEFAULT.test(description) ? undefined : 'none';
    return { name, description, fallback: isNone ? none : String(fallback) };
  });
}
