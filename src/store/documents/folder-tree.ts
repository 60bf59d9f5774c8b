import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { invalidArgument } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { MAX_FOLDER_DEPTH } from '../../shapes/folder.ts';

/** The new parent of each folder that a change moves or adds; null is the top. */
export type NewParents = ReadonlyMap<string, string | null>;
/** The ancestors of stored folders, from the top down. */
export type KnownAncestors = ReadonlyMap<string, readonly string[]>;

/** The nearest ancestor, after the change, that the change moves or adds too. */
function movedAncestor(
  folderId: string,
  newParents: NewParents,
  ancestors: KnownAncestors,
): string | undefined {
  const parent = newParents.get(folderId) ?? null;
  if (parent === null) return undefined;
  if (newParents.has(parent)) return parent;
  return ancestors.get(parent)?.findLast((id) => newParents.has(id));
}

/** The moved or added folders that lie in no other moved or added folder: the roots of the changed subtrees. */
export const topmost = (newParents: NewParents, ancestors: KnownAncestors): string[] =>
  [...newParents.keys()].filter((id) => movedAncestor(id, newParents, ancestors) === undefined);

/** Throws INVALID_ARGUMENT if a folder would lie in itself after the change. */
export function refuseLoops(newParents: NewParents, ancestors: KnownAncestors): void {
  const checked = new Set<string>();
  for (const start of newParents.keys()) {
    const path = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !checked.has(at)) {
      if (path.has(at)) throw invalidArgument(`Folder ${at} cannot lie in itself or in a folder below it.`);
      path.add(at);
      at = movedAncestor(at, newParents, ancestors);
    }
    for (const id of path) checked.add(id);
  }
}

/** Throws INVALID_ARGUMENT if so many folders must not lie in one another. */
export function refuseDepth(depth: number): void {
  if (depth > MAX_FOLDER_DEPTH)
    throw invalidArgument(`At most ${MAX_FOLDER_DEPTH} folders may lie in one another.`);
}

const depthRow = z.object({ depth: z.number().nullable() });

/**
 * Updates ancestors and effective access type of the given folders and all folders below. Throws INVALID_ARGUMENT if a
 * subtree becomes too deep. No given folder may lie in another one. Rows are updated by their place in the table, since
 * the planner expects so many rows of a recursion that it would read all folders.
 */
export async function updateSubtrees(
  tx: Tx,
  { apiKeyId }: Scope,
  organizationId: string,
  folderIds: string[],
): Promise<void> {
  if (folderIds.length === 0) return;
  const rows = await rowsOf(
    tx,
    depthRow,
    sql`
    with recursive tree as (
      select folders.folder_id, folders.ctid as place,
        case when around.folder_id is null then '{}'::text[]
          else array_append(around.ancestors, around.folder_id) end as ancestors,
        coalesce(folders.access_type, around.effective_access_type) as effective_access_type
      from jsonb_array_elements_text(${json(folderIds)}) as wanted(id)
      join folders on folders.api_key_id = ${apiKeyId} and folders.organization_id = ${organizationId}
        and folders.folder_id = wanted.id
      left join folders as around on around.api_key_id = folders.api_key_id
        and around.organization_id = folders.organization_id and around.folder_id = folders.parent_id
      union all
      select below.folder_id, below.ctid, array_append(tree.ancestors, tree.folder_id),
        coalesce(below.access_type, tree.effective_access_type)
      from tree join folders as below on below.api_key_id = ${apiKeyId}
        and below.organization_id = ${organizationId} and below.parent_id = tree.folder_id),
    updated as (
      update folders set ancestors = tree.ancestors, effective_access_type = tree.effective_access_type
      from tree
      where folders.ctid = any(array(select place from tree)) and folders.api_key_id = ${apiKeyId}
        and folders.organization_id = ${organizationId} and folders.folder_id = tree.folder_id)
    select max(cardinality(ancestors)) + 1 as depth from tree`,
  );
  refuseDepth(rows[0]?.depth ?? 0);
}
