import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../db/tables.ts';
import { failedPrecondition, invalidArgument, notFound } from '../../lib/errors.ts';
import { parseAllowList } from '../../outside/net/allow-list.ts';
import {
  addAllowedHosts,
  listAllowedHosts,
  removeAllowedHosts,
} from '../../store/platform/allowed-host-rows.ts';
import { recordForService } from '../setup/run-operation.ts';
import { mayServe } from '../setup/service-address.ts';
import type { CommandDeps, CommandText } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';

const MAX_ENTRY = 300;
const IN_EFFECT = 'in effect.';
const WHEN = 'in effect within 5 seconds in every process of the service.';
const ENVIRONMENT_NOTICE =
  'REDPEN_ALLOW_HOSTS is read from the environment of this command; that of the service may differ.\n';
const IN_FORCE_WITHIN_MS = 10_000;
const POLL_EVERY_MS = 50;

/** Allows internal hosts or removes them again. Lists allowed hosts if none is given. */
export async function changeAllowedHosts(
  deps: CommandDeps,
  words: string[],
  { remove = false }: { remove?: boolean },
): Promise<CommandText> {
  if (words.length === 0) {
    if (remove) throw invalidArgument('--remove takes the hosts that are allowed no more.');
    return await printAllowedHosts(deps);
  }
  const entries = [...new Set(words.flatMap((word) => word.split(',')).map(normal))].filter(Boolean);
  for (const entry of entries) requireEntry(entry);
  if (entries.length === 0) throw invalidArgument('No host is named.');
  if (remove) return await removeHosts(deps, entries);
  await deps.db.transaction().execute(async (tx) => {
    await addAllowedHosts(tx, entries);
    await recordHosts(tx, 'allowed_host.added', entries);
  });
  const when = mayServe(deps.config)
    ? await waitUntilInForce(deps, entries)
    : 'in effect once the service starts.';
  return { output: `Allowed ${entries.join(', ')}: ${when}\n` };
}

const recordHosts = (
  tx: Tx,
  action: 'allowed_host.added' | 'allowed_host.removed',
  entries: string[],
): Promise<void> => recordForService(tx, 'redpen allow-host', ...entries.map((id) => ({ action, id })));

/** Waits until a process of the service applies the entries, and says when all of them do. */
async function waitUntilInForce({ db }: CommandDeps, entries: string[]): Promise<string> {
  for (const end = Date.now() + IN_FORCE_WITHIN_MS; Date.now() < end; await sleep(POLL_EVERY_MS)) {
    const rows = await listAllowedHosts(db);
    if (!rows.some(({ entry, inForceAt }) => inForceAt === null && entries.includes(entry))) return IN_EFFECT;
  }
  return WHEN;
}

const normal = (word: string): string => word.trim().toLowerCase();

function requireEntry(entry: string): void {
  if (entry.length > MAX_ENTRY) throw invalidArgument(`A host has at most ${MAX_ENTRY} characters.`);
  try {
    parseAllowList([entry]);
  } catch (error) {
    throw invalidArgument(`${(error as Error).message.replace(/\.$/, '')}.`);
  }
}

async function removeHosts({ db, config }: CommandDeps, entries: string[]): Promise<CommandText> {
  const ofSettings = entries.filter((entry) => config.REDPEN_ALLOW_HOSTS.map(normal).includes(entry));
  await db.transaction().execute(async (tx) => {
    const removed = await removeAllowedHosts(tx, entries);
    const missing = entries.filter((entry) => !removed.includes(entry));
    if (missing.length === 0) return await recordHosts(tx, 'allowed_host.removed', entries);
    if (missing.every((entry) => ofSettings.includes(entry))) {
      throw failedPrecondition(
        `${missing.join(', ')} is allowed by REDPEN_ALLOW_HOSTS: change that and restart the service.`,
      );
    }
    throw notFound(`Not in the list: ${missing.join(', ')}. Nothing was changed.`);
  });
  return {
    output: `No longer allowed: ${entries.join(', ')}; ${WHEN}\n`,
    notice: ofSettings.length > 0 ? `REDPEN_ALLOW_HOSTS still allows ${ofSettings.join(', ')}.\n` : undefined,
  };
}

async function printAllowedHosts({ db, config }: CommandDeps): Promise<CommandText> {
  const rows = await listAllowedHosts(db);
  const lines = [
    ...config.REDPEN_ALLOW_HOSTS.map((entry) => [entry, 'REDPEN_ALLOW_HOSTS', '']),
    ...rows.map(({ entry, createdAt }) => [entry, 'allow-host', new Date(createdAt).toISOString()]),
  ];
  return {
    output: table([['HOST', 'ALLOWED BY', 'SINCE'], ...lines]),
    ...(config.REDPEN_ALLOW_HOSTS.length > 0 && { notice: ENVIRONMENT_NOTICE }),
  };
}
