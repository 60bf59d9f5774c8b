import { randomUUID } from 'node:crypto';
import { chainAudit } from '../../src/store/audit/chain-audit.ts';
import { stageModels } from '../reviews/model-stage.ts';
import { type Reply, send, testApp } from '../service/harness.ts';
import { anyModels, needsModel } from './any-models.ts';
import { candidates } from './bodies.ts';
import type { Place } from './id-fields.ts';
import type { Operation } from './operations.ts';
import { valueAt } from './places.ts';
import {
  copyRows,
  type SavedRows,
  saveRows,
  type Writes,
  writesSoFar,
  writtenBetween,
} from './tenant-rows.ts';
import { buildWorld, type World } from './world.ts';

/** Two tenants, and a copy of their rows to restore. */
export interface Stage {
  a: World;
  b: World;
  saved: SavedRows;
}

let stage: Promise<Stage> | undefined;

/** Two worlds that all tests share. B has all ids of A, also the generated ones, and further ids of its own. */
export const sharedStage = (): Promise<Stage> => (stage ??= build());

async function build(): Promise<Stage> {
  const a = await buildWorld('a');
  const b = await buildWorld('b');
  await copyRows(a.workspace, b.workspace);
  // A worker would do so within seconds.
  await chainAudit((await testApp()).deps.db);
  return { a, b, saved: await saveRows([a.workspace, b.workspace]) };
}

/** Restores the rows of both tenants that changed since `since`; returns the changes and the current write counts. */
async function restoreSince({ saved }: Stage, since: Writes): Promise<{ changes: string[]; writes: Writes }> {
  const writes = await writesSoFar();
  const written = writtenBetween(since, writes);
  if (written.length === 0) return { changes: [], writes };
  const changes = await saved.changes(written);
  if (changes.length === 0) return { changes, writes };
  await saved.restore(changes);
  return { changes, writes: await writesSoFar() };
}

let lastWrites: Writes = new Map();

/** Runs `work`, returns its result and the changes to rows of the two tenants, and restores these rows. */
export async function runAndRestore<T>(stage: Stage, work: () => Promise<T>): Promise<[T, string[]]> {
  // Tests of other files share the database, and some of them relay the events of all tenants.
  const { writes: before } = await restoreSince(stage, lastWrites);
  const result = await work();
  const { changes, writes } = await restoreSince(stage, before);
  lastWrites = writes;
  return [result, changes];
}

/** The headers with which a tenant calls an operation. */
export const credentials = ({ endpoint }: Operation, { workspace, session }: World): Record<string, string> =>
  ({
    public: {},
    workspace: workspace.workspaceHeaders,
    apiKey: workspace.keyHeaders,
    apiKeyOrUser: workspace.keyHeaders,
    account: session.headers,
    member: session.headers,
  })[endpoint.auth];

/** Placeholder in requests for an unused name, since a new workspace is not removed afterwards. */
const FRESH = 'fresh-owner';

export const withFreshNames = (text: string): string => text.replaceAll(FRESH, randomUUID());

/** Shortens `waitMs` to 50 ms, since nothing will happen; other requests stay unchanged. */
export const withShortWaits = (text: string): string =>
  text.replaceAll(/"waitMs":([1-9]\d{2,4})(?=[,}])/g, (all, ms) =>
    Number(ms) <= 30_000 ? '"waitMs":50' : all,
  );

export function ask(operation: Operation, world: World, data: unknown, headers = {}): Promise<Reply> {
  if (needsModel(operation.path)) stageModels(anyModels);
  const sent = withShortWaits(withFreshNames(JSON.stringify({ data })));
  return send(operation.path, sent, { ...credentials(operation, world), ...headers });
}

const bodies = new Map<string, Promise<unknown>>();

/** A body with which the operation succeeds in world A; it contains `field`, if given. */
export function validBody(operation: Operation, stage: Stage, field?: Place): Promise<unknown> {
  const key = `${operation.path} ${field?.join('.') ?? ''}`;
  const known = bodies.get(key);
  if (known) return known;
  const searching = search(operation, stage, field);
  bodies.set(key, searching);
  return searching;
}

const MAX_TRIES = 150;

async function search(operation: Operation, stage: Stage, field?: Place): Promise<unknown> {
  let tries = 0;
  for (const body of candidates(operation, stage.a, field)) {
    if (field && valueAt(body, field) === undefined) continue;
    if (tries++ === MAX_TRIES) return undefined;
    const [{ status }] = await runAndRestore(stage, () => ask(operation, stage.a, body));
    if (status === 200) return body;
  }
  return undefined;
}
