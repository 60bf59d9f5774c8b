import { type RawBuilder, sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { invalidArgument } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AccessType } from '../../shapes/document.ts';
import { type Folder, ROOT_FOLDER } from '../../shapes/folder.ts';
import { type FolderRow, folderMissing } from './folders.ts';

/** Maximum number of descendant folders in one response. */
const MAX_ROWS = 10_000;

export interface FolderPosition {
  createdAt: number;
  folderId: string;
}

type ListedFolder = FolderRow & { defaultAccessType: AccessType | null };

const columns = (apiKeyId: string): RawBuilder<ListedFolder> => sql`folders.*,
  (select config ->> 'defaultDocumentAccessType' from api_keys where api_key_id = ${apiKeyId}) as default_access_type`;

const presentFolder = (row: ListedFolder): Folder => ({
  ...row.metadata,
  folderId: row.folderId,
  folderName: row.name,
  organizationId: row.organizationId,
  parentFolderId: row.parentId ?? ROOT_FOLDER,
  apiKey: row.apiKeyId,
  createdAt: row.createdAt,
  lastUpdated: row.updatedAt,
  ancestors: [ROOT_FOLDER, ...row.ancestors],
  accessType: (row.effectiveAccessType as AccessType | null) ?? row.defaultAccessType ?? 'public',
  inheritAccessFromParent: row.accessType === null,
});

export async function getFolder(
  db: Db,
  { apiKeyId }: Scope,
  organizationId: string,
  folderId: string,
): Promise<Folder> {
  const { rows } =
    await sql<ListedFolder>`select ${columns(apiKeyId)} from folders where api_key_id = ${apiKeyId}
    and organization_id = ${organizationId} and folder_id = ${folderId}`.execute(db);
  if (!rows[0]) throw folderMissing();
  return presentFolder(rows[0]);
}

interface FolderFilter {
  organizationId: string;
  /** Null is the top. */
  parentId: string | null;
  /** Levels to list, including the first. */
  maxDepth: number;
  after?: FolderPosition | undefined;
  limit: number;
}

/** One keyset page of the folders directly in a folder, oldest first, each with its subtree down to `maxDepth`. */
export async function listFolders(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, parentId, maxDepth, after, limit }: FolderFilter,
): Promise<Folder[]> {
  const inParent = parentId === null ? sql`parent_id is null` : sql`parent_id = ${parentId}`;
  const afterPosition = after
    ? sql`and (created_at, folder_id) > (cast(${after.createdAt} as bigint), ${after.folderId})`
    : sql``;
  const { rows: first } = await sql<ListedFolder>`
    select ${columns(apiKeyId)} from folders
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and ${inParent} ${afterPosition}
    order by parent_id, created_at, folder_id limit ${limit}`.execute(db);
  if (maxDepth === 1 || first.length === 0) return first.map(presentFolder);
  const { rows: below } = await sql<ListedFolder>`
    with recursive tree as (
      select jsonb_array_elements_text(${json(first.map((row) => row.folderId))}) as folder_id, 1 as depth
      union all
      select folders.folder_id, tree.depth + 1 from tree
      join folders on folders.api_key_id = ${apiKeyId} and folders.organization_id = ${organizationId}
        and folders.parent_id = tree.folder_id
      where tree.depth < ${maxDepth})
    select ${columns(apiKeyId)} from tree
    join folders on folders.api_key_id = ${apiKeyId} and folders.organization_id = ${organizationId}
      and folders.folder_id = tree.folder_id
    where tree.depth > 1
    order by folders.created_at, folders.folder_id limit ${MAX_ROWS + 1}`.execute(db);
  if (below.length > MAX_ROWS) {
    throw invalidArgument(`maxDepth reaches more than ${MAX_ROWS} folders; ask for fewer levels.`);
  }
  const children = Map.groupBy(below.map(presentFolder), (folder) => folder.parentFolderId);
  const withChildren = (folder: Folder, depth: number): Folder =>
    depth === maxDepth
      ? folder
      : {
          ...folder,
          subFolders: (children.get(folder.folderId) ?? []).map((child) => withChildren(child, depth + 1)),
        };
  return first.map((row) => withChildren(presentFolder(row), 1));
}
