import { z } from 'zod';
import { phrase } from './lib/text/phrase.ts';
import { parseAllowList } from './outside/allow-list.ts';
import { badSettings } from './roles/settings/bad-settings.ts';
import { findContradictions, findIneffective } from './roles/settings/contradictions.ts';
import { judgeNames } from './roles/settings/setting-names.ts';
import {
  blobUrl,
  checkProxy,
  flagList,
  host,
  listOf,
  masterKey,
  oneOf,
  redisUrl,
  secretWord,
  url,
  wholeNumber,
} from './roles/settings/setting-rules.ts';

/** Variables that commands print for clients of the service. The service itself ignores them. */
export const CLIENT_VARIABLES: readonly string[] = [
  'REDPEN_URL',
  'REDPEN_WORKSPACE_ID',
  'REDPEN_WORKSPACE_TOKEN',
  'REDPEN_API_KEY',
  'REDPEN_AUTH_TOKEN',
  'REDPEN_USER_TOKEN',
];

const provider = (name: string) => secretWord.optional().describe(`Key of ${name}.`);
const providerUrl = (name: string) =>
  url('http:', 'https:')
    .refine(
      (text) => !URL.canParse(text) || (URL.parse(text)?.username === '' && URL.parse(text)?.password === ''),
      {
        error: 'must not hold a user name or password',
      },
    )
    .optional()
    .describe(
      `Address of ${name}, or of a compatible server, which needs no key. Without a path it means that of ${name}, such as /v1.`,
    );

const modelName = z.string().regex(/^(claude|openai|gemini)\/\S+$/, {
  error: 'must be provider/model, with the provider claude, openai or gemini',
});

/** All settings. Nothing else reads the environment. */
const settings = z.object({
  HOST: host.default('127.0.0.1').describe('Address to listen on.'),
  PORT: wholeNumber(0, 65_535).default(8080).describe('Port to listen on; 0 takes a free one.'),
  REDPEN_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Folder of the database that comes along, kept files and generated keys.'),
  DATABASE_URL: url('postgres:', 'postgresql:')
    .optional()
    .describe(
      'PostgreSQL server (15 or later) to use in place of the one that comes along. No extension is needed; pgvector is used where it is there.',
    ),
  REDPEN_POSTGRES_MEMORY: wholeNumber(16, 65_536)
    .default(64)
    .describe('Memory in MB for cached pages of the database that comes along.'),
  REDPEN_POSTGRES_CONNECTIONS: wholeNumber(40, 1_000)
    .default(60)
    .describe('Connections at once to the database that comes along; the service takes up to about 36.'),
  REDIS_URL: redisUrl
    .optional()
    .describe(
      'Redis (6 or later) over which processes tell each other of changes to live documents. Without it they do so over PostgreSQL, which does for a few processes.',
    ),
  REDPEN_BLOB_URL: blobUrl
    .optional()
    .describe(
      'Where screenshots and uploads are kept: file:///folder or s3://bucket/prefix?region=…&endpoint=…. By default a folder in the data directory.',
    ),
  REDPEN_MASTER_KEY: masterKey
    .optional()
    .describe(
      'Base64 of 32 bytes; seals secrets. By default made at first start, in the data directory, readable by its owner alone.',
    ),
  REDPEN_MASTER_KEY_PREVIOUS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(masterKey))
    .optional()
    .describe(
      'Earlier master keys, comma-separated: still open what they sealed until `redpen keys rotate` has run.',
    ),
  REDPEN_PLAN: oneOf(['free', 'paid']).default('free').describe('Plan of new root workspaces.'),
  REDPEN_SIGNUP: oneOf(['open', 'first', 'closed'])
    .default('open')
    .describe(
      'Who may create workspaces over HTTP: open, everyone who reaches the service; first, everyone while there is no workspace; closed, no caller. The operator always may, with `redpen workspace create`.',
    ),
  REDPEN_INIT_EMAIL: z
    .email({ error: 'must be an email address' })
    .max(320)
    .optional()
    .describe(
      'Owner of a workspace that is there after a start: it is made, with an API key and its token, where this owner has none.',
    ),
  REDPEN_INIT_WORKSPACE: z
    .string()
    .max(200, { error: 'must have at most 200 characters' })
    .regex(/\S/, { error: 'must not be empty' })
    .optional()
    .describe('Name of that workspace when it is made.'),
  REDPEN_INIT_API_KEY: z
    .string()
    .regex(/^[\w-]{8,100}$/, { error: 'must be 8 to 100 letters, digits, _ and -' })
    .optional()
    .describe('Id of its API key. By default the service makes one up.'),
  REDPEN_INIT_AUTH_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{32,200}$/, {
      error: 'must be 32 to 200 letters, digits and any of _ . ~ + / = -; `openssl rand -hex 32` makes one',
    })
    .optional()
    .describe(
      'Token of that API key, in place of any that it has: a change takes effect at the next start. By default the service makes one, which `redpen workspace create EMAIL` prints.',
    ),
  REDPEN_WORKSPACE_RATE: wholeNumber(1, 1_000_000)
    .default(100)
    .describe('Workspaces that one IP address may create a minute.'),
  REDPEN_KEY_RATE: wholeNumber(1, 1_000_000)
    .default(3_000)
    .describe(
      'Requests that one API key may send a second; those beyond it are refused before they are read.',
    ),
  REDPEN_ADDRESS_RATE: wholeNumber(1, 1_000_000)
    .default(300)
    .describe(
      'Requests a second from one IP address (of IPv6: one /64) whose credentials are not known, or that need none.',
    ),
  REDPEN_CONNECTION_RATE: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe(
      'Connections that one IP address (of IPv6: one /64) may open a second; those beyond it are closed unread. Proxies that REDPEN_TRUST_PROXY names open as many as they like.',
    ),
  REDPEN_REQUESTS_AT_ONCE: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe('Requests that one API key may have at once that are not answered yet.'),
  REDPEN_LIVE_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe(
      'Live connections that one API key may have at one process, and as many streams of live events.',
    ),
  REDPEN_LIVE_ADDRESS_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(50_000)
    .describe(
      'Live connections from one IP address (of IPv6: one /64) to one process; a proxy that REDPEN_TRUST_PROXY does not name counts as one address.',
    ),
  REDPEN_LIVE_MESSAGES: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe(
      'Messages that all live connections of one API key may send to one process a second; large ones, and those that go to many other connections, count as several. Beyond it they wait.',
    ),
  REDPEN_WEBHOOK_ENDPOINTS: wholeNumber(1, 10_000)
    .default(50)
    .describe('Advanced webhook endpoints that one API key may have.'),
  REDPEN_WEBHOOK_HOST_CONNECTIONS: wholeNumber(1, 10_000)
    .default(48)
    .describe(
      'Webhooks that one process delivers at once to one host and port, of all API keys; names with the same address count together.',
    ),
  REDPEN_WAITING_JOBS: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe(
      'Executions of one API key that may wait to be begun; and as many knowledge sources, migrations and data deletions.',
    ),
  REDPEN_DISK_RESERVE: wholeNumber(0, 10_000_000)
    .default(500)
    .describe(
      'MB that stay free on the disks of the data folder, of kept files and of temporary files, or a tenth of a disk where that is less: below it writes are refused, and reads and deletions go on. 0 turns it off.',
    ),
  REDPEN_STORED_MB: wholeNumber(1, 1_000_000_000)
    .optional()
    .describe(
      'MB that one API key may store, as counted every hour and with each write: beyond it writes that add data are refused. By default any.',
    ),
  REDPEN_ALLOW_HOSTS: listOf((entry) => parseAllowList([entry]))
    .default([])
    .describe('Comma-separated hosts, host:port or CIDRs exempt from the ban on internal addresses.'),
  REDPEN_TRUST_PROXY: listOf(checkProxy)
    .default([])
    .describe(
      'Comma-separated addresses or CIDRs of reverse proxies whose x-forwarded-for, x-forwarded-host and x-forwarded-proto are believed.',
    ),
  REDPEN_PUBLIC_URL: url('http:', 'https:')
    .refine((text) => !/[?#]|^[^/]*\/\/[^/]*@/.test(text), {
      error: 'must not hold a query, a fragment, a user name or a password',
    })
    .optional()
    .describe(
      'Address at which callers reach the service, such as https://redpen.example.com; signed links begin with it. Without it, the Host header is believed from REDPEN_TRUST_PROXY (x-forwarded-host too), and where it names loopback or the IP address that the request came in at; other links lead to that address.',
    ),
  REDPEN_ROLES: flagList(['api', 'realtime', 'worker'])
    .default(['api', 'realtime', 'worker'])
    .describe('What this process does: api, realtime, worker.'),
  REDPEN_LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least level that is logged.'),
  REDPEN_LOG: oneOf(['pretty', 'json'])
    .optional()
    .describe(
      'Form of the log: pretty, to be read on a terminal, with colours there unless NO_COLOR is set; or json, an object a line. By default pretty on a terminal and json elsewhere.',
    ),
  REDPEN_MAX_PAGES: wholeNumber(1, 64)
    .default(4)
    .describe('Browser pages open at once, in all runs of this process together.'),
  REDPEN_SMTP_URL: url('smtp:', 'smtps:')
    .optional()
    .describe(
      'Mail server for notifications and for owners of failing webhook endpoints: smtp://user:password@host:587, or smtps: for TLS from the first byte. Without one, mail goes only over providers that callers have keys of.',
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
    .describe('A Chromium to use in place of the one found or bundled.'),
  REDPEN_BROWSER_SANDBOX: oneOf(['on', 'off'])
    .default('on')
    .describe(
      'Whether Chromium confines its processes. With on, one that cannot (user namespaces are off, or the seccomp profile of a container forbids them) is not started, and reviews that need it fail; as root it goes without all the same.',
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
      "Model that answers where an agent names none, as provider/model: claude/…, openai/… or gemini/…. By default the first provider that is configured, with a model of Redpen's choice.",
    ),
  REDPEN_MODELS: listOf((entry) => {
    if (!modelName.safeParse(entry).success) throw new Error(`Not provider/model: ${entry}`);
  })
    .default([])
    .describe(
      'Comma-separated models, as provider/model, that agents and callers may name beside REDPEN_MODEL. By default any.',
    ),
  REDPEN_RUN_TOKENS: wholeNumber(1_000, 1_000_000_000)
    .default(2_000_000)
    .describe('Tokens that one execution may spend on models; then its pages end with an error.'),
  REDPEN_EMBEDDINGS: z
    .string()
    .regex(/^(local|(openai|gemini):.+)$/, { error: 'must be local, openai:MODEL or gemini:MODEL' })
    .default('local')
    .describe(
      'What turns texts into vectors, for the memory of reviews: local, which works offline, or openai:MODEL or gemini:MODEL of a provider that is set.',
    ),
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
  judgeNames(present, Object.keys(settings.shape), CLIENT_VARIABLES);

/**
 * Reads the settings from an environment. An empty value counts as absent.
 * Throws BadConfig with one line for each bad value or misspelt name.
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
    const fallback = Array.isArray(value) ? value.join(',') : value;
    const description = schema.description ?? '';
    const isNone = fallback === undefined || fallback === '';
    const none = SAYS_ITS_DEFAULT.test(description) ? undefined : 'none';
    return { name, description, fallback: isNone ? none : String(fallback) };
  });
}
