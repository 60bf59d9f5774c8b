import { sql } from 'kysely';
import { eventOf } from '../../annotations/annotation-event.ts';
import type { StoredAnnotation } from '../../annotations/record.ts';
import { json } from '../../db/json.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Location } from '../../shapes/annotations/location.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { documentMissing } from '../documents/documents.ts';
import { syncDeletedAnnotations } from '../memory/change-judgments.ts';
import { inParts } from '../platform/in-chunks.ts';

const onLocation = ({ apiKeyId }: Scope, { organizationId, documentId }: DocumentRef, locationId: string) =>
  sql`api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
    and location_id = ${locationId}`;

/** Locks the document against whatever writes on it: what is on a location can neither come nor go meanwhile. */
async function lockDocument(tx: Tx, { apiKeyId }: Scope, document: DocumentRef): Promise<void> {
  const row = await tx
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', document.organizationId)
    .where('documentId', '=', document.documentId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw documentMissing();
}

/** Gives annotations and notifications of one location another; the other must be empty unless they may be put together. */
export async function moveLocation(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  { from, to, merge }: { from: Location; to: Location; merge: boolean },
): Promise<void> {
  await lockDocument(tx, scope, document);
  if (!merge && (await hasData(tx, scope, document, to.id))) {
    throw failedPrecondition(`The location ${to.id} has data already; merge: true puts both together.`);
  }
  const now = sql`cast(${Date.now()} as bigint)`;
  const moved = json({ location: to });
  await changeThere(tx, scope, document, from.id, async (part) => {
    const { rows } = await sql<StoredAnnotation>`
      update annotations set location_id = ${to.id}, body = body || ${moved}, last_updated = ${now}
      where ${onLocation(scope, document, from.id)} and annotation_id = any(${part})
      returning *`.execute(tx);
    await emitAll(tx, scope, 'comment_annotation.update', rows.map(quietly));
  });
  await sql`update notifications set location_id = ${to.id}, body = body || ${moved}, updated_at = ${now}
    where ${onLocation(scope, document, from.id)}`.execute(tx);
}

async function hasData(tx: Tx, scope: Scope, document: DocumentRef, locationId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from annotations where ${onLocation(scope, document, locationId)})
      or exists (select 1 from notifications where ${onLocation(scope, document, locationId)}) as found`.execute(
    tx,
  );
  return rows[0]!.found;
}

/** Deletes annotations and notifications of a location. */
export async function deleteLocationData(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  locationId: string,
): Promise<void> {
  await lockDocument(tx, scope, document);
  const there = onLocation(scope, document, locationId);
  await changeThere(tx, scope, document, locationId, async (part) => {
    const { rows } = await sql<StoredAnnotation>`
      delete from annotations where ${there} and annotation_id = any(${part}) returning *`.execute(tx);
    await syncDeletedAnnotations(tx, scope, rows);
    await emitAll(tx, scope, 'comment_annotation.delete', rows.map(quietly));
  });
  await sql`delete from notifications where ${there}`.execute(tx);
}

/** An API key's change, of which nobody is to be told. */
const quietly = (row: StoredAnnotation) => eventOf(row, { loud: false });

async function changeThere(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  locationId: string,
  change: (annotationIds: string[]) => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ annotationId: string }>`
    select annotation_id from annotations where ${onLocation(scope, document, locationId)}
    order by annotation_id`.execute(tx);
  await inParts(
    rows.map((row) => row.annotationId),
    change,
  );
}
