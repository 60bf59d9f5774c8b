import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../lib/day.ts';
import { ownVersion } from '../../../lib/version.ts';
import { findPrivateCache } from '../../../outside/browser/private-cache.ts';
import { endOf } from './child-output.ts';
import type { Workplace } from './workplace.ts';

const PREFIX = 'review-data-';
const DRAFT = '.making-';
const UNUSED_DAYS = 30;
const DRAFT_AGE_MS = 600_000;
const MAKER = join(import.meta.dirname, 'make-template.ts');
const MIGRATIONS = join(import.meta.dirname, '../../../db/migrations');

/**
 * Fills the data folder of a workplace with an empty database that has all tables, which is half of a first start. The
 * database is made once for each version and kept in the cache of the user. Returns its folder; undefined if there is
 * no such cache, so that the service makes a database of its own.
 */
export async function fillFromTemplate(
  workplace: Workplace,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const cache = await findPrivateCache();
  if (cache === undefined) return undefined;
  try {
    const template = join(cache, PREFIX + templateKey());
    removeOld(cache, template);
    if (!existsSync(template)) await makeTemplate(workplace, template, env);
    if (workplace.isCleared()) throw new Error('The review is ending.');
    cpSync(template, workplace.dataDir, { recursive: true });
    // Shows that it is in use.
    utimesSync(template, new Date(), new Date());
    return template;
  } catch (error) {
    if (workplace.isCleared()) throw error;
    // A full disk, or another process has removed it: a database of its own is only slower.
    rmSync(workplace.dataDir, { recursive: true, force: true });
    return undefined;
  }
}

/** Everything that the tables depend on. */
function templateKey(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
      hash.update(name).update(readFileSync(join(MIGRATIONS, name)));
  }
  hash.update(readFileSync(MAKER));
  hash.update(readFileSync(join(import.meta.dirname, '../../../../package.json')));
  return hash
    .update(JSON.stringify([ownVersion().version, process.platform, process.arch]))
    .digest('hex')
    .slice(0, 16);
}

/** Makes the template under another name, and renames it when it is complete: another process may make it, too. */
async function makeTemplate(workplace: Workplace, template: string, env: NodeJS.ProcessEnv): Promise<void> {
  const draft = `${template}${DRAFT}${randomBytes(4).toString('hex')}`;
  workplace.remove(draft);
  const maker = workplace.run(MAKER, { env, args: [draft] });
  const { failure } = await endOf(maker);
  if (failure !== undefined) throw new Error(failure);
  try {
    renameSync(draft, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes templates that have not been used for long, and what killed processes have left. */
function removeOld(cache: string, needed: string): void {
  for (const name of readdirSync(cache)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(cache, name);
    if (path === needed) continue;
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age < (name.includes(DRAFT) ? DRAFT_AGE_MS : UNUSED_DAYS * DAY_MS)) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process removes it at the same time.
    }
  }
}
