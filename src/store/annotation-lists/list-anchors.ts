import { sql } from 'kysely';
import { preparedVariants } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationAnchor } from '../../shapes/annotations/annotation-anchor.ts';
import {
  type AnnotationListing,
  hasManyDocuments,
  isPlain,
  isUnread,
  type KeysetWindow,
  type ListedAnnotation,
  ordered,
  pageInSql,
  sameDocument,
} from './list-annotations.ts';

/** The fields of the body that anchors are made of. */
const BODY_FIELDS = sql`type text, status jsonb, agent jsonb, "pageInfo" jsonb, location jsonb,
  "targetElement" jsonb, "isPageAnnotation" jsonb, "positionX" jsonb, "positionY" jsonb, "elementWidth" jsonb,
  "elementHeight" jsonb, "screenWidth" jsonb, "screenHeight" jsonb, "screenScrollHeight" jsonb,
  "screenScrollTop" jsonb`;

const NUMBERS = [
  'positionX',
  'positionY',
  'elementWidth',
  'elementHeight',
  'screenWidth',
  'screenHeight',
  'screenScrollHeight',
  'screenScrollTop',
] as const;

/** Bodies of earlier versions and of callers may hold anything. */
interface AnchorRow extends Partial<Record<(typeof NUMBERS)[number], unknown>> {
  lastUpdated: number;
  documentId: string;
  annotationId: string;
  annotationNumber: number;
  statusId: string;
  suggestionStatus: string | null;
  /** Null without a reader. */
  isUnread: boolean | null;
  commentCount: number;
  type: string | null;
  statusType: string | null;
  severity: string | null;
  pageUrl: string | null;
  locationId: string | null;
  locationName: string | null;
  targetElement: unknown;
  isPageAnnotation: unknown;
}

/** Lists annotations as anchors: the database reads no comments, and sends only a few fields of each body. */
export async function listAnchors(
  db: Db,
  scope: Scope,
  listing: AnnotationListing,
  window: KeysetWindow,
): Promise<ListedAnnotation<AnnotationAnchor>[]> {
  const manyDocuments = await hasManyDocuments(db, scope, listing);
  // Not as identifiers, which would be mapped to those of columns.
  const numbers = sql.raw(NUMBERS.map((name) => `said."${name}"`).join(', '));
  const statement = sql<AnchorRow>`
    select annotations.document_id, annotations.annotation_id, annotations.annotation_number,
      annotations.last_updated, annotations.status_id, annotations.suggestion_status, annotations.location_id,
      ${isUnread(listing)} as is_unread,
      (select cast(count(*) as integer) from comments where ${sameDocument('comments')}
        and comments.annotation_id = annotations.annotation_id) as comment_count,
      said.type, said.status ->> 'type' as status_type, said.agent #>> '{reason,severity}' as severity,
      coalesce(annotations.agent_url, said."pageInfo" ->> 'url') as page_url,
      said.location ->> 'locationName' as location_name, said."targetElement", said."isPageAnnotation", ${numbers}
    from (${pageInSql(scope, listing, window, { manyDocuments })}) as annotations
    cross join lateral jsonb_to_record(annotations.body) as said(${BODY_FIELDS})
    order by ${ordered(window.order)}`;
  const rows = isPlain(listing) ? await runPlain(db, statement) : (await statement.execute(db)).rows;
  return rows.map((row) => ({
    lastUpdated: row.lastUpdated,
    documentId: row.documentId,
    annotationId: row.annotationId,
    record: anchorOf(row, listing.documentId === undefined),
  }));
}

const runPlain = preparedVariants();

function anchorOf(row: AnchorRow, namesDocument: boolean): AnnotationAnchor {
  const { pageUrl, locationId, locationName, targetElement, suggestionStatus, severity, statusType } = row;
  return {
    annotationId: row.annotationId,
    ...(namesDocument && { documentId: row.documentId }),
    annotationNumber: row.annotationNumber,
    type: row.type ?? 'comment',
    status: { id: row.statusId, ...(statusType !== null && { type: statusType }) },
    ...(severity !== null && { severity }),
    ...(suggestionStatus !== null && { suggestionStatus }),
    commentCount: row.commentCount,
    ...(row.isUnread !== null && { isUnread: row.isUnread }),
    place: {
      ...(pageUrl !== null && { pageUrl }),
      ...(locationId !== null && {
        location: { id: locationId, ...(locationName !== null && { locationName }) },
      }),
      ...(isRecord(targetElement) && { targetElement }),
      ...(row.isPageAnnotation === true && { isPageAnnotation: true as const }),
      ...Object.fromEntries(
        NUMBERS.flatMap((name) => (typeof row[name] === 'number' ? [[name, row[name]]] : [])),
      ),
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
