import { sql } from 'kysely';
import { json } from '../../db/json.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit, emitAll } from '../../events/emit.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import type { NewOrganization, Organization } from '../../shapes/organization.ts';
import { deleteKnowledgeOf } from '../knowledge/delete-knowledge.ts';
import { deletePlaces } from '../memory/consolidations.ts';
import { deleteJudgmentsOf } from '../memory/judgments.ts';
import { holdOrMake } from '../platform/lock-or-create.ts';

/** Metadata must not hide the fields of the record itself. */
const OWN_FIELDS = ['id', 'organizationId', 'organizationName', 'disabled', 'apiKey'];

interface Item {
  organizationId: string;
  name: string | null;
  metadata: Record<string, unknown>;
}

/** Adds what is new and updates the rest; of one id sent twice, the later fields win. */
export async function addOrganizations(
  tx: Tx,
  scope: Scope,
  organizations: NewOrganization[],
): Promise<void> {
  const items = itemsOf(organizations);
  const { rows: added } = await sql<{ organizationId: string; name: string }>`
    insert into organizations (api_key_id, organization_id, name, disabled, metadata, created_at, updated_at)
    select ${scope.apiKeyId}, item."organizationId", coalesce(item.name, item."organizationId"), false,
      item.metadata, cast(${Date.now()} as bigint), cast(${Date.now()} as bigint)
    from ${recordset(items)}
    on conflict do nothing
    returning organization_id, name`.execute(tx);
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

/** Updates those that exist; answers their ids. */
export const updateOrganizations = (
  tx: Tx,
  scope: Scope,
  organizations: NewOrganization[],
): Promise<Set<string>> => updateItems(tx, scope, itemsOf(organizations));

async function updateItems(tx: Tx, scope: Scope, items: Item[]): Promise<Set<string>> {
  if (items.length === 0) return new Set();
  const { rows } = await sql<OrganizationState>`
    update organizations set name = coalesce(item.name, organizations.name),
      metadata = organizations.metadata || item.metadata, updated_at = cast(${Date.now()} as bigint)
    from ${recordset(items)}
    where organizations.api_key_id = ${scope.apiKeyId}
      and organizations.organization_id = item."organizationId"
    returning organizations.organization_id, organizations.name, organizations.disabled`.execute(tx);
  return await tellOfUpdates(tx, scope, rows);
}

/** Opens organizations to their users or closes them; answers the ids of those that exist. */
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
  return await tellOfUpdates(tx, scope, rows);
}

interface OrganizationState {
  organizationId: string;
  name: string;
  disabled: boolean;
}

async function tellOfUpdates(tx: Tx, scope: Scope, rows: OrganizationState[]): Promise<Set<string>> {
  await emitAll(
    tx,
    scope,
    'organization.update',
    rows.map(({ organizationId, name, disabled }) => ({ organizationId, organizationName: name, disabled })),
  );
  return new Set(rows.map((row) => row.organizationId));
}

const recordset = (items: Item[]) =>
  sql`jsonb_to_recordset(${json(items)}) as item("organizationId" text, name text, metadata jsonb)`;

/** In the order of their ids, so that two batches at once cannot lock each other's rows crosswise. */
function itemsOf(organizations: NewOrganization[]): Item[] {
  const items = new Map<string, Item>();
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

/** Holds the organization for what is about to be written under it; makes a missing one unless told not to. */
export async function holdOrganization(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  { create }: { create: boolean },
): Promise<void> {
  const { apiKeyId } = scope;
  const hold = () =>
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
  if (!(await holdOrMake(hold, create ? make : undefined))) throw organizationMissing();
}

/**
 * Lets one transaction at a time change how an organization's folders lie in one another, or which id its
 * documents have. What is written on documents or into folders meanwhile goes on.
 */
export async function lockStructure(tx: Tx, { apiKeyId }: Scope, organizationId: string): Promise<void> {
  const held = await tx
    .selectFrom('organizations')
    .select('organizationId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!held) throw organizationMissing();
}

export const organizationMissing = () => notFound('Organization does not exist');

export interface OrganizationPosition {
  createdAt: number;
  organizationId: string;
}

/** One page, the oldest first, strictly after the given position where there is one. */
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
    query = query.where(
      sql<boolean>`(created_at, organization_id) > (cast(${after.createdAt} as bigint), ${after.organizationId})`,
    );
  }
  const rows = await query.orderBy('createdAt').orderBy('organizationId').limit(limit).execute();
  return rows.map(({ organizationId, createdAt, name, disabled, metadata }) => ({
    organizationId,
    createdAt,
    record: { ...metadata, id: organizationId, organizationName: name, disabled },
  }));
}

/** Deletes organizations with all that is in them; answers the ids of those that existed. */
export async function deleteOrganizations(
  tx: Tx,
  scope: Scope,
  organizationIds: string[],
): Promise<Set<string>> {
  // Held, so that no document comes into them which nobody would hear the end of.
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
  // Grants refer to nothing, since they may come before what they are for.
  await tx
    .deleteFrom('grants')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', 'in', organizationIds)
    .execute();
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
