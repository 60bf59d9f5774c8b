import type { Config } from '../../config.ts';
import type { Database } from '../../db/connections/connect.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import { KEY_KINDS, type KeyAge, type KeyKind, listKeyAges } from '../../store/keys/key-ages.ts';
import { listKeyChecks } from '../../store/keys/key-checks.ts';
import { type Finding, joinFindings, ok, skipped, warning } from './check.ts';

type KeyConfig = Pick<Config, 'REDPEN_KEY_AGE_WARNING' | 'REDPEN_SIGNING_KEY_DAYS'>;

/** The service rotates the signing key within minutes while it runs. */
const LATE_DAYS = 2;
/** The longest time that a command takes as a duration. */
const MAX_OLDER_DAYS = 365;

const WORDS: Record<KeyKind, { one: string; many: string; advice: string }> = {
  master_key: { one: 'master key', many: 'master keys', advice: 'redpen keys rotate --new' },
  signing_key: { one: 'signing key', many: 'signing keys', advice: 'redpen keys rotate-signing' },
  workspace_token: {
    one: 'workspace token',
    many: 'workspace tokens',
    advice: 'redpen workspace rotate-token WORKSPACE',
  },
  api_key_token: { one: 'API key token', many: 'API key tokens', advice: 'redpen key rotate KEY' },
  webhook_secret: {
    one: 'webhook secret',
    many: 'webhook secrets',
    advice: 'redpen webhook rotate-secret KEY ENDPOINT',
  },
};

/** Judges the ages of all keys by the settings, and whether a rotation of the master key has ended. */
export async function checkKeys(
  database: Pick<Database, 'db'> | undefined,
  config: KeyConfig,
  now: number,
): Promise<Finding> {
  if (database === undefined) return skipped('The database cannot be used.');
  const { db } = database;
  const days = config.REDPEN_KEY_AGE_WARNING;
  const madeBefore = days === 0 ? 0 : now - days * DAY_MS;
  // A database of an earlier version lacks the columns.
  const ages = await listKeyAges(db, madeBefore).catch(() => undefined);
  if (ages === undefined) return skipped('The database is not up to date: start the service once.');
  if (ages.length === 0) return skipped('There are no keys yet.');
  const warnings = [...ages.flatMap((age) => judge(age, config, now)), ...(await judgeRotation(db))];
  return warnings.length > 0 ? joinFindings(warnings) : ok(describe(ages, now));
}

const daysSince = (time: number, now: number): number => Math.floor((now - time) / DAY_MS);

function describe(ages: readonly KeyAge[], now: number): string {
  const inOrder = KEY_KINDS.flatMap((kind) => ages.filter((age) => age.kind === kind));
  const parts = inOrder.map(({ kind, oldestAt }) => `${WORDS[kind].one} ${daysSince(oldestAt ?? now, now)}`);
  return `Days since the oldest keys were made: ${parts.join(', ')}.`;
}

/** Warnings about the keys of a kind. */
function judge({ kind, oldestAt, old }: KeyAge, config: KeyConfig, now: number): Finding[] {
  if (oldestAt === null) return [];
  const { one, many, advice } = WORDS[kind];
  const age = daysSince(oldestAt, now);
  const inDays = age === 1 ? '1 day' : `${age} days`;
  const days = config.REDPEN_KEY_AGE_WARNING;
  if (kind === 'signing_key') {
    const limit = config.REDPEN_SIGNING_KEY_DAYS;
    return limit > 0 && age > limit + LATE_DAYS
      ? [
          warning(
            `The ${one} is ${inDays} old, and REDPEN_SIGNING_KEY_DAYS is ${limit}.`,
            'A process with the role worker rotates it: start one, or see its log.',
          ),
        ]
      : [];
  }
  if (old === 0) return [];
  const found =
    kind === 'master_key'
      ? `The ${one} is ${inDays} old.`
      : `${old} ${old === 1 ? `${one} is` : `${many} are`} more than ${days} days old, the oldest ${inDays}.`;
  const listed =
    kind === 'webhook_secret'
      ? `; redpen webhook list --older-than ${Math.min(days, MAX_OLDER_DAYS)}d lists them`
      : '';
  return [warning(found, `To rotate ${kind === 'master_key' ? 'it' : many}: ${advice}${listed}.`)];
}

/** Warns of an earlier master key with which secrets may be sealed. */
async function judgeRotation(db: Db): Promise<Finding[]> {
  const [, ...earlier] = await listKeyChecks(db);
  const ids = earlier.map(({ keyId }) => keyId).join(', ');
  return earlier.length === 0
    ? []
    : [
        warning(
          `Secrets may still be sealed with the earlier master key ${ids}.`,
          'Seal them with the current one: redpen keys rotate.',
        ),
      ];
}
