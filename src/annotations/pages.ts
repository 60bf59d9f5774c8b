import type { Db } from '../db/tables.ts';
import type { Position } from '../lib/cursor.ts';
import type { Scope } from '../lib/scope.ts';
import type { Reader } from '../store/access/visibility-sql.ts';
import type { AnnotationFilter } from '../store/annotations/annotation-filter.ts';
import { type AnnotationPlace, listAnnotations } from '../store/annotations/annotations.ts';

const MAX_ROWS = 1_000;

export type AnnotationRow = Awaited<ReturnType<typeof listAnnotations>>[number];

export interface AnnotationPage {
  /** Null where an annotation was asked for by its id and is not there. */
  rows: (AnnotationRow | null)[];
  next: Position | undefined;
}

interface Part {
  order: 'asc' | 'desc';
  position: Position;
  size: number;
}

/** What is listed, and for whose eyes. */
export interface Asked {
  place: AnnotationPlace;
  filter: AnnotationFilter;
  reader: Reader | undefined;
}

/** One page: in the order of the ids where the filter names some, else by last update. */
export const pageAnnotations = (db: Db, scope: Scope, asked: Asked, part: Part): Promise<AnnotationPage> =>
  asked.filter.annotationIds
    ? pageOfIds(db, scope, asked, asked.filter.annotationIds, part)
    : pageOfList(db, scope, asked, part);

async function pageOfList(
  db: Db,
  scope: Scope,
  { place, filter, reader }: Asked,
  { order, position, size }: Part,
): Promise<AnnotationPage> {
  const [lastUpdated, documentId, annotationId] = position;
  const after =
    annotationId === undefined
      ? undefined
      : {
          lastUpdated: Number(lastUpdated),
          documentId: String(documentId),
          annotationId: String(annotationId),
        };
  const rows = await listAnnotations(db, scope, place, filter, { order, limit: size + 1, after }, reader);
  const last = rows.length > size ? rows[size - 1] : undefined;
  return { rows: rows.slice(0, size), next: last && [last.lastUpdated, last.documentId, last.annotationId] };
}

async function pageOfIds(
  db: Db,
  scope: Scope,
  { place, filter, reader }: Asked,
  ids: string[],
  { position, size }: Part,
): Promise<AnnotationPage> {
  const from = Number(position[0] ?? 0);
  const annotationIds = ids.slice(from, from + size);
  const found = await listAnnotations(
    db,
    scope,
    place,
    { ...filter, annotationIds },
    { order: 'desc', limit: MAX_ROWS },
    reader,
  );
  // The same id may be that of an annotation on another document, too.
  const byId = Map.groupBy(found, (row) => row.annotationId);
  const rows = annotationIds.flatMap<AnnotationRow | null>((id) => byId.get(id) ?? [null]);
  return { rows, next: from + size < ids.length ? [from + size] : undefined };
}
