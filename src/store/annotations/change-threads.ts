import { sql } from 'kysely';
import type { AnnotationEvent } from '../../annotations/annotation-event.ts';
import type { NewJudgment } from '../../annotations/decisions/build-judgment.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { grouped } from '../../db/grouped.ts';
import { prepared } from '../../db/prepared.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import { type Db, isTransaction, type Tx } from '../../db/tables.ts';
import { type EventName, type EventPayload, events } from '../../events/event-catalog.ts';
import { newId } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import type { AuditRow } from '../audit/audit-hash.ts';
import { judgmentColumns, type StoredJudgment } from '../memory/judgments.ts';
import { writeThreadChanges, writeThreadChangesUnlocked } from './thread-change-statement.ts';

/** The version of a row as it was read: the number of the transaction that wrote it. */
type Versioned<Row> = Row & { version: string };
type StoredComment = Pick<
  DocumentTables['comments'],
  'commentId' | 'authorId' | 'body' | 'createdAt' | 'lastUpdated'
>;
export type ThreadJudgment = Versioned<StoredJudgment> & { hasVectors: boolean };

/** An annotation with what a change of it depends on. */
export interface Thread {
  row: Versioned<StoredAnnotation>;
  /** The comments that the request names, as far as they exist. */
  comments: Versioned<StoredComment>[];
  /** Without imported ones, in thread order. */
  judgments: ThreadJudgment[];
  /** `taggedUserContacts` of all comments, if the request asks for them. */
  tagged: unknown[];
  /** The people whose names the request asks for. */
  people: { userId: string; name?: string; email?: string }[];
}

/** An event of the outbox; the statement adds the record of the annotation and its visibility. */
interface ThreadEvent {
  eventId: string;
  name: EventName;
  payload: Fields;
  isOfAnnotation: boolean;
}

/** All that one request changes on an annotation. */
export interface ThreadChange<Row> {
  annotation: StoredAnnotation;
  comments: (Pick<Versioned<StoredComment>, 'commentId' | 'version' | 'authorId' | 'lastUpdated'> & {
    patch: Fields;
  })[];
  /** Judgments that were there, and new ones. */
  judgments: ((ThreadJudgment & { isReworded: boolean }) | NewJudgment)[];
  views: { userId: string; viewedAt: number }[];
  events: ThreadEvent[];
  /** Entries of the audit log. */
  audits?: readonly AuditRow[];
  rows: Row[];
}

export interface ThreadRequest<Row> {
  scope: Scope;
  annotation: AnnotationRef;
  /** The comments, names and mentions that the change depends on. */
  reads: { commentIds: readonly number[]; userIds: readonly string[]; mentions: boolean };
  /** Approximate characters of the change. */
  size: number;
  /** Undefined for a change that takes more than this. */
  changeOf(thread: Thread, now: number): ThreadChange<Row> | undefined;
  /** Makes any change, and reports why one is refused. */
  inTransaction(tx: Tx): Promise<Row[]>;
}

/**
 * Changes of one annotation each, without a transaction: one statement reads it, and one writes all that follows, if
 * nothing has changed in between. Requests of one API key share both. What this does not cover, or what another writer
 * was faster with, takes a transaction that locks before it reads.
 */
export const threadChanges = <Row>() =>
  grouped<ThreadRequest<Row>, Row>({
    laneOf: ({ scope }) => scope.apiKeyId,
    keysOf: ({ annotation: { organizationId, documentId, annotationId } }) => [
      JSON.stringify([organizationId, documentId, annotationId]),
    ],
    sizeOf: ({ size }) => size,
    async alone(db, request) {
      if (isTransaction(db)) return await request.inTransaction(db);
      const [rows] = await changeThreads(db, [request], writeThreadChanges);
      return rows ?? (await db.transaction().execute((tx) => request.inTransaction(tx)));
    },
    together: (db, many) => changeThreads(db, many, writeThreadChangesUnlocked),
  });

async function changeThreads<Row>(
  db: Db,
  requests: readonly ThreadRequest<Row>[],
  write: typeof writeThreadChanges,
): Promise<(Row[] | undefined)[]> {
  const threads = await readThreads(db, requests);
  const now = Date.now();
  const changes = requests.map((request, position) => {
    const thread = threads.get(position);
    return thread && changeIn(request, thread, now);
  });
  const written = await writeChanges(db, requests[0]!.scope, threads, changes, now, write);
  return changes.map((change, position) => (written.has(position) ? change!.rows : undefined));
}

/** A change that is refused must not fail those beside it; the transaction refuses it again. */
function changeIn<Row>(
  request: ThreadRequest<Row>,
  thread: Thread,
  now: number,
): ThreadChange<Row> | undefined {
  try {
    return request.changeOf(thread, now);
  } catch {
    return undefined;
  }
}

/** Characters of the texts of a row, and judgments of a thread, above which a change takes a transaction. */
const MAX_CHARS = 50_000;
const MAX_JUDGMENTS = 50;
/** Stored bytes of a body that is surely small: it has not been compressed much. */
const SMALL_BYTES = 2_000;

const isSmall = (column: string) => sql`(pg_column_size(${sql.ref(column)}) < ${sql.lit(SMALL_BYTES)}
  or octet_length(cast(${sql.ref(column)} as text)) < ${sql.lit(MAX_CHARS)})`;

const asJson = (columns: readonly string[]) =>
  sql`json_build_object(${sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(name)]))},
    'version', cast(xmin as text))`;

const judgmentJson = sql`json_build_object(${sql.join(judgmentColumns.flatMap((name) => [sql.lit(name), sql.ref(name)]))},
  'version', cast(xmin as text), 'hasVectors', embedded_with <> '')`;

const on = (table: string) => sql`${sql.ref(`${table}.organization_id`)} = item."organizationId"
  and ${sql.ref(`${table}.document_id`)} = item."documentId"
  and ${sql.ref(`${table}.annotation_id`)} = item."annotationId"`;

interface ReadThread extends Omit<Thread, 'row'>, StoredAnnotation {
  position: number;
  version: string;
}

/** Leaves out annotations that do not exist, and large ones. */
const selectThreads = prepared<{ apiKeyId: string; items: string; count: number }, ReadThread>((db, row) => {
  const { apiKeyId } = row;
  // The planner expects a limit that it does not know to leave a tenth of the rows, so it looks each annotation up.
  const query = sql<ReadThread>`
    select item.position, annotations.*, cast(annotations.xmin as text) as version,
      (select coalesce(json_agg(${asJson(['commentId', 'authorId', 'body', 'createdAt', 'lastUpdated'])}
          order by comment_id), '[]')
        from comments where comments.api_key_id = ${apiKeyId} and ${on('comments')}
          and comment_id = any(item."commentIds") and ${isSmall('comments.body')}) as comments,
      (select case when coalesce(sum(octet_length(reasoning) + octet_length(coalesce(content, ''))), 0)
          <= ${sql.lit(2 * MAX_CHARS)}
          then coalesce(json_agg(${judgmentJson} order by created_at, judgment_id), '[]') end
        from (select *, xmin from judgments where api_key_id collate "C" = ${apiKeyId} and ${on('judgments')}
          and origin <> 'import' limit ${sql.lit(MAX_JUDGMENTS + 1)}) as judgments) as judgments,
      (select coalesce(json_agg(one.tagged), '[]') from (
        select jsonb_array_elements(comments.body -> 'taggedUserContacts') as tagged from comments
        where item.mentions and comments.api_key_id = ${apiKeyId} and ${on('comments')} limit 100) as one) as tagged,
      (select coalesce(json_agg(json_strip_nulls(json_build_object('userId', user_id, 'name', name, 'email', email))),
          '[]')
        from users where users.api_key_id = ${apiKeyId} and users.user_id = any(item."userIds")) as people
    from (select * from jsonb_to_recordset(cast(${row.items} as jsonb)) as item(position integer,
        "organizationId" text, "documentId" text, "annotationId" text, "commentIds" bigint[], "userIds" text[],
        mentions boolean) limit ${row.count}) as item
      join annotations on annotations.api_key_id = ${apiKeyId} and ${on('annotations')}
    where ${isSmall('annotations.body')}`;
  return { compile: () => query.compile(db) };
});

async function readThreads<Row>(
  db: Db,
  requests: readonly ThreadRequest<Row>[],
): Promise<Map<number, Thread>> {
  const items = requests.map(({ annotation, reads }, position) => ({
    position,
    ...refOf(annotation),
    ...reads,
  }));
  const rows = await selectThreads(db, {
    apiKeyId: requests[0]!.scope.apiKeyId,
    items: JSON.stringify(items),
    count: items.length,
  });
  const small = rows.filter(({ judgments }) => judgments !== null && judgments.length <= MAX_JUDGMENTS);
  return new Map(
    small.map(({ position, comments, judgments, tagged, people, ...row }) => [
      position,
      { row, comments, judgments, tagged, people },
    ]),
  );
}

const refOf = ({ organizationId, documentId, annotationId }: AnnotationRef): AnnotationRef => ({
  organizationId,
  documentId,
  annotationId,
});

/** Writes the changes in one statement, and returns the positions of those that were written. */
async function writeChanges<Row>(
  db: Db,
  { apiKeyId, workspaceId }: Scope,
  threads: ReadonlyMap<number, Thread>,
  changes: readonly (ThreadChange<Row> | undefined)[],
  now: number,
  write: typeof writeThreadChanges,
): Promise<Set<number>> {
  const made = changes.flatMap((change, position) => (change ? [{ change, position }] : []));
  if (made.length === 0) return new Set();
  const listOf = <Item extends object>(itemsOf: (change: ThreadChange<Row>) => readonly Item[]) =>
    made.flatMap(({ change, position }) => itemsOf(change).map((item) => ({ ...item, position })));
  const annotations = made.map(({ change, position }) => ({
    ...annotationItem(threads.get(position)!.row, change),
    position,
  }));
  const comments = listOf((change) => change.comments);
  const judgments = listOf((change) => change.judgments);
  const raised = listOf((change) => change.events).map((event, place) => ({ ...event, place }));
  const rows = await write(db, {
    apiKeyId,
    workspaceId,
    now,
    annotations: JSON.stringify(annotations),
    comments: JSON.stringify(comments),
    judgments: JSON.stringify(judgments),
    views: JSON.stringify(listOf((change) => change.views)),
    events: JSON.stringify(raised),
    audits: JSON.stringify(listOf((change) => change.audits ?? [])),
    count: annotations.length,
    commentCount: comments.length,
    judgmentCount: judgments.length,
  });
  return new Set(rows.map(({ position }) => position));
}

const annotationItem = <Row>(
  { version, ...before }: Thread['row'],
  { annotation, comments, judgments }: ThreadChange<Row>,
) => ({
  ...refOf(annotation),
  version,
  authorId: annotation.authorId,
  statusId: annotation.statusId,
  locationId: annotation.locationId,
  suggestionStatus: annotation.suggestionStatus,
  visibility: annotation.visibility,
  lastUpdated: annotation.lastUpdated,
  ...bodyChange(before.body, annotation.body),
  comments: comments.length,
  judgments: judgments.filter((one) => 'version' in one).length,
});

/** The fields of the body that differ; unchanged values are the same objects. */
const bodyChange = (before: Fields, after: Fields): { patch: Fields; removed: string[] } => ({
  patch: Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value)),
  removed: Object.keys(before).filter((key) => after[key] === undefined),
});

/** An event about the annotation, of which the statement adds the record. */
export function eventOfAnnotation<Name extends AnnotationEventName>(
  name: Name,
  payload: Omit<EventPayload<Name>, 'commentAnnotation' | 'visibility'>,
): ThreadEvent {
  const { commentAnnotation: _, ...checked } = events[name].parse({
    ...payload,
    commentAnnotation: {},
  }) as AnnotationEvent;
  return { eventId: newId('evt'), name, payload: checked, isOfAnnotation: true };
}
type AnnotationEventName = Extract<EventName, `comment_annotation.${string}` | `comment.${string}`>;

export const eventOfJudgment = (payload: EventPayload<'memory.judgment_add'>): ThreadEvent => {
  const name = 'memory.judgment_add';
  return { eventId: newId('evt'), name, payload: events[name].parse(payload), isOfAnnotation: false };
};
