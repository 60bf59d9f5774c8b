import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit, emitAll } from '../../events/emit.ts';
import { notFound } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import type { NewOrganization, Organization } from '../../shapes/organization.ts';
import { releaseOnDocuments } from '../attachments/release-attachments.ts';
import { deleteKnowledgeOf } from '../knowledge/delete-knowledge.ts';
import { deletePlaces } from '../memory/consolidations.ts';
import { deleteJudgmentsOf } from '../memory/judgments.ts';
import { lockOrCreate } from '../platform/lock-or-create.ts';

/** Fields of the record itself, which metadata must not hide. */
const OWN_FIELDS = ['id', 'organizationId', 'organizationName', 'disabled', 'apiKey'];

interface OrganizationItem {
  organizationId: string;
  name: string | null;
  metadata: Fields;
}

const addedRow = z.object({ organizationId: z.string(), name: z.string() });

/** Adds new organizations and updates existing ones. */
export async function addOrganizations(
  tx: Tx,
  scope: Scope,
  organizations: NewOrganization[],
): Promise<void> {
  const items = itemsOf(organizations);
  const added = await rowsOf(
    tx,
    addedRow,
    sql`
    insert into organizations (api_key_id, organization_id, name, disabled, metadata, created_at, updated_at)
    select ${scope.apiKeyId}, item."organizationId", coalesce(item.name, item."organizationId"), false,
      item.metadata, cast(${Date.now()} as bigint), cast(${Date.now()} as bigint)
    from ${recordset(items)}
    on conflict do nothing
    returning organization_id, name`,
  );
  const isNew = new Set(added.map((row) => row.organizationId));
  await updateItems(
    tx,
    scope,
    items.filter((item) => !isNew.has(item.organizationId)),
  );
  await emitAll(
    tx,
    scope,
    'organization.add',
    added.map(({ organizationId, name }) => ({ organizationId, organizationName: name })),
  );
}

/** Updates organizations. Returns the ids of those that exist. */
export const updateOrganizations = (
  tx: Tx,
  scope: Scope,
  organizations: NewOrganization[],
): Promise<Set<string>> => updateItems(tx, scope, itemsOf(organizations));

const updatedRow = z.object({ organizationId: z.string(), name: z.string(), disabled: z.boolean() });

async function updateItems(tx: Tx, scope: Scope, items: OrganizationItem[]): Promise<Set<string>> {
  if (items.length === 0) return new Set();
  const rows = await rowsOf(
    tx,
    updatedRow,
    sql`
    update organizations set name = coalesce(item.name, organizations.name),
      metadata = organizations.metadata || item.metadata, updated_at = cast(${Date.now()} as bigint)
    from ${recordset(items)}
    where organizations.api_key_id = ${scope.apiKeyId}
      and organizations.organization_id = item."organizationId"
    returning organizations.organization_id, organizations.name, organizations.disabled`,
  );
  return await emitUpdates(tx, scope, rows);
}

/** Disables or enables organizations for their users. Returns the ids of those that exist. */
export async function setOrganizationsDisabled(
  tx: Tx,
  scope: Scope,
  organizationIds: string[],
  disabled: boolean,
): Promise<Set<string>> {
  const rows = await tx
    .updateTable('organizations')
    .set({ disabled, updatedAt: Date.now() })
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', 'in', organizationIds)
    .returning(['organizationId', 'name', 'disabled'])
    .execute();
  return await emitUpdates(tx, scope, rows);
}

interface OrganizationState {
  organizationId: string;
  name: string;
  disabled: boolean;
}

async function emitUpdates(tx: Tx, scope: Scope, rows: OrganizationState[]): Promise<Set<string>> {
  await emitAll(
    tx,
    scope,
    'organization.update',
    rows.map(({ organizationId, name, disabled }) => ({ organizationId, organizationName: name, disabled })),
  );
  return new Set(rows.map((row) => row.organizationId));
}

const recordset = (items: OrganizationItem[]) =>
  sql`jsonb_to_recordset(${json(items)}) as item("organizationId" text, name text, metadata jsonb)`;

/** Merges the fields of organizations that were sent twice; the later ones win. Sorted by id, against deadlocks. */
function itemsOf(organizations: NewOrganization[]): OrganizationItem[] {
  const items = new Map<string, OrganizationItem>();
  for (const { organizationId, organizationName, ...custom } of organizations) {
    const earlier = items.get(organizationId);
    const metadata = Object.fromEntries(Object.entries(custom).filter(([key]) => !OWN_FIELDS.includes(key)));
    items.set(organizationId, {
      organizationId,
      name: organizationName ?? earlier?.name ?? null,
      metadata: { ...earlier?.metadata, ...metadata },
    });
  }
  return [...items.values()].sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
}

/** Locks the organization against deletion until the transaction ends. With `create`, a missing one is added. */
export async function lockOrganization(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  { create }: { create: boolean },
): Promise<void> {
  const { apiKeyId } = scope;
  const lock = () =>
    tx
      .selectFrom('organizations')
      .select('organizationId')
      .where('apiKeyId', '=', apiKeyId)
      .where('organizationId', '=', organizationId)
      .forKeyShare()
      .executeTakeFirst();
  const make = async () => {
    const now = Date.now();
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('organizations')
      .values({
        apiKeyId,
        organizationId,
        name: organizationId,
        disabled: false,
        metadata: json({}),
        createdAt: now,
        updatedAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return undefined;
    await emit(tx, scope, 'organization.add', { organizationId, organizationName: organizationId });
    return { organizationId };
  };
  if (!(await lockOrCreate(lock, create ? make : undefined))) throw organizationMissing();
}

/**
 * Serializes changes of an organization's folder tree and of its documents' ids. Writes on documents and into folders
 * do not wait for it.
 */
export async function lockStructure(tx: Tx, { apiKeyId }: Scope, organizationId: string): Promise<void> {
  const locked = await tx
    .selectFrom('organizations')
    .select('organizationId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) throw organizationMissing();
}

export const organizationMissing = () => notFound('Organization does not exist');

export interface OrganizationPosition {
  createdAt: number;
  organizationId: string;
}

/** One keyset page, oldest first. */
export async function listOrganizations(
  db: Db,
  { apiKeyId }: Scope,
  {
    organizationIds,
    after,
    limit,
  }: { organizationIds?: string[] | undefined; after?: OrganizationPosition | undefined; limit: number },
): Promise<(OrganizationPosition & { record: Organization })[]> {
  let query = db.selectFrom('organizations').selectAll().where('apiKeyId', '=', apiKeyId);
  if (organizationIds) query = query.where('organizationId', 'in', organizationIds);
  if (after) {
    const { createdAt, organizationId } = after;
    query = query.where((eb) =>
      eb(eb.refTuple('createdAt', 'organizationId'), '>', eb.tuple(createdAt, organizationId)),
    );
  }
  const rows = await query.orderBy('createdAt').orderBy('organizationId').limit(limit).execute();
  return rows.map(({ organizationId, createdAt, name, disabled, metadata }) => ({
    organizationId,
    createdAt,
    record: { ...metadata, id: organizationId, organizationName: name, disabled },
  }));
}

/** Deletes organizations with all their contents. Returns the ids of those that existed. */
export async function deleteOrganizations(
  tx: Tx,
  scope: Scope,
  organizationIds: string[],
): Promise<Set<string>> {
  // Locked, so that no document is added whose deletion would raise no event.
  await tx
    .selectFrom('organizations')
    .select('organizationId')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', 'in', organizationIds)
    .orderBy('organizationId')
    .forUpdate()
    .execute();
  const documents = await tx
    .deleteFrom('documents')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', 'in', organizationIds)
    .returning(['organizationId', 'documentId'])
    .execute();
  const rows = await tx
    .deleteFrom('organizations')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', 'in', organizationIds)
    .returning('organizationId')
    .execute();
  // Grants have no foreign key, since they may be made before their resource.
  await tx
    .deleteFrom('grants')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', 'in', organizationIds)
    .execute();
  await tx
    .deleteFrom('tokenContacts')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', 'in', organizationIds)
    .execute();
  await releaseOnDocuments(tx, scope, organizationIds);
  await deleteKnowledgeOf(tx, scope, organizationIds);
  for (const { organizationId } of rows) await deleteJudgmentsOf(tx, scope, organizationId);
  await deletePlaces(
    tx,
    scope,
    rows.map((row) => row.organizationId),
  );
  for (let from = 0; from < documents.length; from += MAX_BATCH) {
    await emitAll(tx, scope, 'document.delete', documents.slice(from, from + MAX_BATCH));
  }
  await emitAll(tx, scope, 'organization.delete', rows);
  return new Set(rows.map((row) => row.organizationId));
}
