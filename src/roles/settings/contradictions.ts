import { settingsOf } from '../../outside/models/choose-model.ts';
import type { ModelProvider } from '../../outside/models/models.ts';
import type { Problem } from './bad-settings.ts';

type Present = Readonly<Record<string, string>>;

/** True if any setting that makes a provider usable is set. */
const isSet = (present: Present, provider: ModelProvider): boolean =>
  settingsOf[provider].split(' or ').some((name) => present[name] !== undefined);

function missingProvider(present: Present, setting: string, pattern: RegExp): Problem[] {
  const value = present[setting];
  const provider = pattern.exec(value ?? '')?.[1] as ModelProvider | undefined;
  if (value === undefined || provider === undefined || isSet(present, provider)) return [];
  return [{ setting, value, rule: `needs its provider: set ${settingsOf[provider]} too` }];
}

const INIT_SETTINGS = ['REDPEN_INIT_WORKSPACE', 'REDPEN_INIT_API_KEY', 'REDPEN_INIT_AUTH_TOKEN'];

/** Problems of settings that exclude or require each other. */
export function findContradictions(present: Present): Problem[] {
  const { REDPEN_SMTP_URL: server, REDPEN_MAIL_FROM: sender } = present;
  return [
    ...(server !== undefined && sender === undefined
      ? [{ setting: 'REDPEN_MAIL_FROM', value: undefined, rule: 'is required with REDPEN_SMTP_URL' }]
      : []),
    ...(server === undefined && sender !== undefined
      ? [
          {
            setting: 'REDPEN_MAIL_FROM',
            value: sender,
            rule: 'is for mail through a server: set REDPEN_SMTP_URL too',
          },
        ]
      : []),
    ...(present.REDPEN_INIT_EMAIL === undefined && INIT_SETTINGS.some((name) => name in present)
      ? [
          {
            setting: 'REDPEN_INIT_EMAIL',
            value: undefined,
            rule: 'is required with the other settings of REDPEN_INIT_',
          },
        ]
      : []),
    ...['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL']
      .filter((name) => name in present && present.DATABASE_URL === undefined)
      .map((setting) => ({
        setting,
        value: present[setting],
        rule: 'is an address of the server that DATABASE_URL names: set DATABASE_URL too',
      })),
    ...findSeveralKeys(present),
    ...findNestedBackups(present),
    ...missingProvider(present, 'REDPEN_MODEL', /^(claude|openai|gemini)\/\S+$/),
    ...missingProvider(present, 'REDPEN_EMBEDDINGS', /^(openai|gemini):.+$/),
  ];
}

const KEY_SOURCES = ['REDPEN_MASTER_KEY', 'REDPEN_MASTER_KEY_FILE', 'REDPEN_MASTER_KEY_COMMAND'];

/** The master key has one source, so that it is clear which of two keys seals. */
function findSeveralKeys(present: Present): Problem[] {
  const [first, ...more] = KEY_SOURCES.filter((name) => name in present);
  if (more.length > 0)
    return more.map((setting) => ({
      setting,
      value: undefined,
      rule: `must not be set together with ${first}: the master key has one source`,
    }));
  return first !== undefined && first !== 'REDPEN_MASTER_KEY' && 'REDPEN_MASTER_KEY_PREVIOUS' in present
    ? [
        {
          setting: 'REDPEN_MASTER_KEY_PREVIOUS',
          value: undefined,
          rule: `must not be set together with ${first}, which has earlier keys on lines of their own`,
        },
      ]
    : [];
}

/** Backups among the files that they contain would grow with each other. */
function findNestedBackups({ REDPEN_BACKUP_URL: backups, REDPEN_BLOB_URL: files }: Present): Problem[] {
  const [inner, outer] = [URL.parse(backups ?? ''), URL.parse(files ?? '')];
  const folderOf = ({ pathname }: URL) => `${pathname.replace(/^\/+|\/+$/g, '')}/`.replace(/^\/$/, '');
  if (!inner || !outer || inner.protocol !== outer.protocol || inner.host !== outer.host) return [];
  if (!folderOf(inner).startsWith(folderOf(outer))) return [];
  return [{ setting: 'REDPEN_BACKUP_URL', value: backups, rule: 'must not be within REDPEN_BLOB_URL' }];
}

const EMBEDDED_ONLY = ['REDPEN_POSTGRES_MEMORY', 'REDPEN_POSTGRES_CONNECTIONS'];

/** Sentences about settings that have no effect, or that turn a feature or a protection off. */
export function findIneffective(present: Present): string[] {
  return [...findOpenings(present), ...findUnused(present), ...findOutlived(present)];
}

/** Parts of runs that are to be kept for longer than the runs. */
function findOutlived(present: Present): string[] {
  const runs = present.REDPEN_KEEP_RUNS;
  if (runs === undefined) return [];
  return ['REDPEN_KEEP_SCREENSHOTS', 'REDPEN_KEEP_RUN_LOGS']
    .filter((name) => Number(present[name] ?? 0) > Number(runs))
    .map(
      (name) =>
        `${name} (${present[name]} days) does nothing: after REDPEN_KEEP_RUNS (${runs} days) the whole run is removed.`,
    );
}

/** Sentences about settings that undo a protection. */
function findOpenings({ REDPEN_ALLOW_HOSTS: hosts = '' }: Present): string[] {
  const all = hosts
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry.endsWith('/0'));
  return all.length === 0
    ? []
    : [
        `REDPEN_ALLOW_HOSTS allows every address (${all.join(', ')}): pages and callers reach the whole network.`,
      ];
}

function findUnused(present: Present): string[] {
  const { DATABASE_URL: server, REDPEN_ROLES: roles } = present;
  if (present.REDPEN_REPLICA_READS !== undefined && present.DATABASE_REPLICA_URL === undefined)
    return ['REDPEN_REPLICA_READS is set and does nothing without DATABASE_REPLICA_URL.'];
  if (server !== undefined)
    return EMBEDDED_ONLY.filter((name) => name in present).map(
      (name) => `${name} is set and does nothing, since DATABASE_URL names a server of yours.`,
    );
  return roles === undefined || roles.split(',').some((role) => role.trim() === 'worker')
    ? []
    : [
        'REDPEN_ROLES leaves worker out: no run, webhook or mail goes out, since without DATABASE_URL no other process can share the work.',
      ];
}
