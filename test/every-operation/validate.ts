import { randomUUID } from 'node:crypto';
import { type Reply, send } from '../harness.ts';
import { stageModels } from '../model-stage.ts';
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

/** Two tenants, and the way back to how they were. */
export interface Stage {
  a: World;
  b: World;
  saved: SavedRows;
}

let stage: Promise<Stage> | undefined;

/** Two worlds; B has every id that A has, also those that A did not choose, and others beside. One pair for all. */
export const theStage = (): Promise<Stage> => (stage ??= build());

async function build(): Promise<Stage> {
  const a = await buildWorld('a');
  const b = await buildWorld('b');
  await copyRows(a.workspace, b.workspace);
  return { a, b, saved: await saveRows([a.workspace, b.workspace]) };
}

/** Puts the rows of the two tenants back that changed since a look; answers where they had, and how it looks then. */
async function putBack({ saved }: Stage, since: Writes): Promise<{ changes: string[]; look: Writes }> {
  const look = await writesSoFar();
  const written = writtenBetween(since, look);
  if (written.length === 0) return { changes: [], look };
  const changes = await saved.changes(written);
  if (changes.length === 0) return { changes, look };
  await saved.restore(changes);
  return { changes, look: await writesSoFar() };
}

let lastLook: Writes = new Map();

/** Runs something, tells which rows of the two tenants it changed, and puts them back. */
export async function andBack<T>(stage: Stage, work: () => Promise<T>): Promise<[T, string[]]> {
  // Tests of other files share the database, and some of them relay every event there is.
  const { look: before } = await putBack(stage, lastLook);
  const result = await work();
  const { changes, look } = await putBack(stage, before);
  lastLook = look;
  return [result, changes];
}

/** The headers that an operation wants of a tenant. */
export const credentials = ({ endpoint }: Operation, { workspace }: World): Record<string, string> =>
  endpoint.auth === 'public'
    ? {}
    : endpoint.auth === 'workspace'
      ? workspace.workspaceHeaders
      : workspace.keyHeaders;

/** In a request, stands for a name that was never used before; a workspace has no tenant to be put back. */
const FRESH = 'fresh-owner';

export const freshened = (text: string): string => text.replaceAll(FRESH, randomUUID());

/** A request that may wait for something to happen waits a moment, since nothing will; any other stays as it is. */
export const hurried = (text: string): string =>
  text.replaceAll(/"waitMs":([1-9]\d{2,4})(?=[,}])/g, (all, ms) =>
    Number(ms) <= 30_000 ? '"waitMs":50' : all,
  );

export function ask(operation: Operation, world: World, data: unknown, headers = {}): Promise<Reply> {
  if (needsModel(operation.path)) stageModels(anyModels);
  const sent = hurried(freshened(JSON.stringify({ data })));
  return send(operation.path, sent, { ...credentials(operation, world), ...headers });
}

const found = new Map<string, Promise<unknown>>();

/** A body that the operation answers with success in world A; holds the field where one is named. */
export function validBody(operation: Operation, stage: Stage, field?: Place): Promise<unknown> {
  const key = `${operation.path} ${field?.join('.') ?? ''}`;
  const known = found.get(key);
  if (known) return known;
  const searching = search(operation, stage, field);
  found.set(key, searching);
  return searching;
}

const MAX_TRIES = 150;

async function search(operation: Operation, stage: Stage, field?: Place): Promise<unknown> {
  let tries = 0;
  for (const body of candidates(operation, stage.a, field)) {
    if (field && valueAt(body, field) === undefined) continue;
    if (tries++ === MAX_TRIES) return undefined;
    const [{ status }] = await andBack(stage, () => ask(operation, stage.a, body));
    if (status === 200) return body;
  }
  return undefined;
}
