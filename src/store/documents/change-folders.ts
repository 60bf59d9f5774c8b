import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AccessType } from '../../shapes/document.ts';
import type { NewFolder } from '../../shapes/folder.ts';
import {
  type KnownAncestors,
  type NewParents,
  refuseDepth,
  refuseLoops,
  topmost,
  updateSubtrees,
} from './folder-tree.ts';
import { type FolderRow, insideOf } from './folders.ts';
import { lockStructure } from './organizations.ts';

/** Fields of the record itself, which metadata must not hide. */
const OWN_FIELDS = [
  'folderId',
  'folderName',
  'organizationId',
  'parentFolderId',
  'apiKey',
  'createdAt',
  'lastUpdated',
  'ancestors',
  'accessType',
  'inheritAccessFromParent',
  'subFolders',
];

interface FolderItem {
  folderId: string;
  name: string | null;
  /** Undefined keeps the parent. */
  parentId: string | null | undefined;
  accessType: AccessType | null;
  metadata: Fields;
}

/** Merges the fields of folders that were sent twice; the later ones win. */
function itemsOf(folders: NewFolder[]): Map<string, FolderItem> {
  const items = new Map<string, FolderItem>();
  for (const { folderId, folderName, parentFolderId, accessType, ...custom } of folders) {
    const earlier = items.get(folderId);
    const metadata = Object.fromEntries(Object.entries(custom).filter(([key]) => !OWN_FIELDS.includes(key)));
    items.set(folderId, {
      folderId,
      name: folderName ?? earlier?.name ?? null,
      parentId: parentFolderId === undefined ? earlier?.parentId : insideOf(parentFolderId),
      accessType: accessType ?? earlier?.accessType ?? null,
      metadata: { ...earlier?.metadata, ...metadata },
    });
  }
  return items;
}

type StoredFolder = Pick<FolderRow, 'folderId' | 'parentId' | 'ancestors' | 'effectiveAccessType'>;

async function findFolders(
  tx: Tx,
  { apiKeyId }: Scope,
  organizationId: string,
  folderIds: string[],
): Promise<Map<string, StoredFolder>> {
  if (folderIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('folders')
    .select(['folderId', 'parentId', 'ancestors', 'effectiveAccessType'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', 'in', folderIds)
    .execute();
  return new Map(rows.map((row) => [row.folderId, row]));
}

const idsIn = (items: Iterable<FolderItem>): string[] => [
  ...new Set([...items].flatMap(({ folderId, parentId }) => [folderId, ...(parentId ? [parentId] : [])])),
];

/** The ancestors of the stored folders and of their parents. */
const ancestorsOf = (stored: ReadonlyMap<string, StoredFolder>): KnownAncestors =>
  new Map(
    [...stored.values()].flatMap(({ folderId, parentId, ancestors }): [string, string[]][] => [
      [folderId, ancestors],
      ...(parentId === null ? [] : ([[parentId, ancestors.slice(0, -1)]] as [string, string[]][])),
    ]),
  );

const recordset = (items: (FolderItem & Partial<FolderPlace>)[]) =>
  sql`jsonb_to_recordset(${json(
    [...items].sort((a, b) => (a.folderId < b.folderId ? -1 : 1)),
  )}) as item("folderId" text, name text, "parentId" text, "accessType" text, metadata jsonb, ancestors text[],
    "effectiveAccessType" text)`;

type FolderPlace = Pick<StoredFolder, 'ancestors' | 'effectiveAccessType'>;

/**
 * The folders with what follows from the folders around them, which are stored or in the list. Throws INVALID_ARGUMENT if
 * one would be too deep.
 */
function placed(
  items: readonly FolderItem[],
  stored: ReadonlyMap<string, StoredFolder>,
): (FolderItem & FolderPlace)[] {
  const byId = new Map(items.map((item) => [item.folderId, item]));
  const places = new Map<string, FolderPlace>();
  const placeIn = (parentId: string): FolderPlace => stored.get(parentId) ?? placeOf(byId.get(parentId)!);
  const placeOf = ({ folderId, parentId, accessType }: FolderItem): FolderPlace => {
    const known = places.get(folderId);
    if (known) return known;
    const around = parentId ? placeIn(parentId) : undefined;
    const place = {
      ancestors: around && parentId ? [...around.ancestors, parentId] : [],
      effectiveAccessType: accessType ?? around?.effectiveAccessType ?? null,
    };
    refuseDepth(place.ancestors.length + 1);
    places.set(folderId, place);
    return place;
  };
  return items.map((item) => ({ ...item, ...placeOf(item) }));
}

type AddResult = 'added' | 'exists' | 'parent-missing';
type UpdateResult = 'updated' | 'missing' | 'parent-missing';

const addedRow = z.object({ folderId: z.string(), name: z.string() });

/** Adds folders to an existing organization; existing folders stay as they are. */
export async function addFolders(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folders: NewFolder[],
): Promise<Map<string, AddResult>> {
  await lockStructure(tx, scope, organizationId);
  const items = itemsOf(folders);
  const stored = await findFolders(tx, scope, organizationId, idsIn(items.values()));
  const fresh = new Map([...items].filter(([id]) => !stored.has(id)));
  refuseLoops(parentsOf(fresh), ancestorsOf(stored));
  const outcomes = new Map<string, AddResult>();
  const outcomeOf = ({ folderId, parentId }: FolderItem): AddResult => {
    const known = outcomes.get(folderId);
    if (known) return known;
    const parent = parentId ? fresh.get(parentId) : undefined;
    const hasParent = !parentId || stored.has(parentId) || (parent && outcomeOf(parent) === 'added');
    const outcome = stored.has(folderId) ? 'exists' : hasParent ? 'added' : 'parent-missing';
    outcomes.set(folderId, outcome);
    return outcome;
  };
  const toAdd = placed(
    [...items.values()].filter((item) => outcomeOf(item) === 'added'),
    stored,
  );
  const now = Date.now();
  const added = await rowsOf(
    tx,
    addedRow,
    sql`
    insert into folders (api_key_id, organization_id, folder_id, name, parent_id, ancestors, access_type,
      effective_access_type, metadata, created_at, updated_at)
    select ${scope.apiKeyId}, ${organizationId}, item."folderId", coalesce(item.name, item."folderId"),
      item."parentId", item.ancestors, item."accessType", item."effectiveAccessType", item.metadata,
      cast(${now} as bigint), cast(${now} as bigint)
    from ${recordset(toAdd)}
    on conflict do nothing
    returning folder_id, name`,
  );
  // A concurrent request that puts something into a missing folder creates it without the structure lock.
  const isNew = new Set(added.map((row) => row.folderId));
  if (isNew.size < toAdd.length) {
    for (const { folderId } of toAdd) if (!isNew.has(folderId)) outcomes.set(folderId, 'exists');
    const newParents = parentsOf(new Map([...fresh].filter(([id]) => isNew.has(id))));
    await updateSubtrees(tx, scope, organizationId, topmost(newParents, ancestorsOf(stored)));
  }
  await emitAll(
    tx,
    scope,
    'folder.add',
    added.map(({ folderId, name }) => ({ organizationId, folderId, folderName: name })),
  );
  return outcomes;
}

const parentsOf = (items: ReadonlyMap<string, FolderItem>): NewParents =>
  new Map([...items].map(([id, { parentId }]) => [id, parentId ?? null]));

const updatedRow = z.object({ folderId: z.string(), name: z.string() });

/** Renames and moves folders with their subtrees. */
export async function updateFolders(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folders: NewFolder[],
): Promise<Map<string, UpdateResult>> {
  await lockStructure(tx, scope, organizationId);
  const items = itemsOf(folders);
  const stored = await findFolders(tx, scope, organizationId, idsIn(items.values()));
  const outcomeOf = ({ folderId, parentId }: FolderItem): UpdateResult =>
    !stored.has(folderId) ? 'missing' : parentId && !stored.has(parentId) ? 'parent-missing' : 'updated';
  const outcomes = new Map([...items].map(([id, item]) => [id, outcomeOf(item)]));
  const found = [...items.values()].flatMap((item) => {
    if (outcomes.get(item.folderId) !== 'updated') return [];
    return [
      {
        ...item,
        parentId: item.parentId === undefined ? stored.get(item.folderId)!.parentId : item.parentId,
      },
    ];
  });
  const changed = found.filter(
    ({ folderId, parentId, accessType }) =>
      accessType !== null || parentId !== stored.get(folderId)!.parentId,
  );
  const newParents: NewParents = new Map(changed.map(({ folderId, parentId }) => [folderId, parentId]));
  refuseLoops(newParents, ancestorsOf(stored));
  const rows = await rowsOf(
    tx,
    updatedRow,
    sql`
    update folders set name = coalesce(item.name, folders.name), parent_id = item."parentId",
      access_type = coalesce(item."accessType", folders.access_type),
      metadata = folders.metadata || item.metadata, updated_at = cast(${Date.now()} as bigint)
    from ${recordset(found)}
    where folders.api_key_id = ${scope.apiKeyId} and folders.organization_id = ${organizationId}
      and folders.folder_id = item."folderId"
    returning folders.folder_id, folders.name`,
  );
  await updateSubtrees(tx, scope, organizationId, topmost(newParents, ancestorsOf(stored)));
  await emitUpdates(tx, scope, organizationId, rows);
  return outcomes;
}

/** Sets the access type of folders; null inherits the parent's. Returns the ids of those that exist. */
export async function setFolderAccess(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  folderIds: string[],
  accessType: AccessType | null,
): Promise<Set<string>> {
  await lockStructure(tx, scope, organizationId);
  const stored = await findFolders(tx, scope, organizationId, folderIds);
  if (stored.size === 0) return new Set();
  const rows = await tx
    .updateTable('folders')
    .set({ accessType, updatedAt: Date.now() })
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('folderId', 'in', [...stored.keys()])
    .returning(['folderId', 'name'])
    .execute();
  const newParents: NewParents = new Map(
    [...stored.values()].map(({ folderId, parentId }) => [folderId, parentId]),
  );
  await updateSubtrees(tx, scope, organizationId, topmost(newParents, ancestorsOf(stored)));
  await emitUpdates(tx, scope, organizationId, rows);
  return new Set(stored.keys());
}

const emitUpdates = (
  tx: Tx,
  scope: Scope,
  organizationId: string,
  rows: { folderId: string; name: string }[],
): Promise<void> =>
  emitAll(
    tx,
    scope,
    'folder.update',
    rows.map(({ folderId, name }) => ({ organizationId, folderId, folderName: name })),
  );
