import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { invalidArgument } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { MAX_FOLDER_DEPTH } from '../../shapes/folder.ts';

/** Which folders a change puts where; null is the top. */
export type Placed = ReadonlyMap<string, string | null>;
/** Of folders that stay where they are: those around each, from the top down. */
export type Settled = ReadonlyMap<string, readonly string[]>;

/** The nearest folder around one that the same change puts somewhere, once all of it is done. */
function placedAround(folderId: string, placed: Placed, settled: Settled): string | undefined {
  const parent = placed.get(folderId) ?? null;
  if (parent === null) return undefined;
  if (placed.has(parent)) return parent;
  return settled.get(parent)?.findLast((id) => placed.has(id));
}

/** Of folders that a change puts somewhere, those around which it puts no other; everything else lies below them. */
export const topmost = (placed: Placed, settled: Settled): string[] =>
  [...placed.keys()].filter((id) => placedAround(id, placed, settled) === undefined);

/** Refuses a change after which a folder would lie in itself. */
export function refuseLoops(placed: Placed, settled: Settled): void {
  const fine = new Set<string>();
  for (const start of placed.keys()) {
    const way = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !fine.has(at)) {
      if (way.has(at)) throw invalidArgument(`Folder ${at} cannot lie in itself or in a folder below it.`);
      way.add(at);
      at = placedAround(at, placed, settled);
    }
    for (const id of way) fine.add(id);
  }
}

/**
 * Works out anew, for the given folders and all below them, which folders are around and which access type holds;
 * refuses what is too deep. Of two given folders, neither may lie in the other.
 */
export async function settleSubtrees(
  tx: Tx,
  { apiKeyId }: Scope,
  organizationId: string,
  folderIds: string[],
): Promise<void> {
  if (folderIds.length === 0) return;
  const { rows } = await sql<{ depth: number | null }>`
    with recursive tree as (
      select folders.folder_id,
        case when around.folder_id is null then '{}'::text[]
          else array_append(around.ancestors, around.folder_id) end as ancestors,
        coalesce(folders.access_type, around.effective_access_type) as effective_access_type
      from jsonb_array_elements_text(${json(folderIds)}) as wanted(id)
      join folders on folders.api_key_id = ${apiKeyId} and folders.organization_id = ${organizationId}
        and folders.folder_id = wanted.id
      left join folders as around on around.api_key_id = folders.api_key_id
        and around.organization_id = folders.organization_id and around.folder_id = folders.parent_id
      union all
      select below.folder_id, array_append(tree.ancestors, tree.folder_id),
        coalesce(below.access_type, tree.effective_access_type)
      from tree join folders as below on below.api_key_id = ${apiKeyId}
        and below.organization_id = ${organizationId} and below.parent_id = tree.folder_id),
    settled as (
      update folders set ancestors = tree.ancestors, effective_access_type = tree.effective_access_type
      from tree
      where folders.api_key_id = ${apiKeyId} and folders.organization_id = ${organizationId}
        and folders.folder_id = tree.folder_id)
    select max(cardinality(ancestors)) + 1 as depth from tree`.execute(tx);
  if ((rows[0]?.depth ?? 0) > MAX_FOLDER_DEPTH) {
    throw invalidArgument(`At most ${MAX_FOLDER_DEPTH} folders may lie in one another.`);
  }
}
