import type { DocumentTables } from '../db/tables/document-tables.ts';
import type { EventPayload } from '../events/event-catalog.ts';
import { type ApiError, invalidArgument } from '../lib/errors.ts';
import { md5 } from '../lib/ids.ts';
import type { Fields } from '../lib/json.ts';

export type StoredAnnotation = DocumentTables['annotations'];
/** The number that records name a location by; up to 2^48, which JSON can hold. Not for secrets. */
export const locationNumber = (locationId: string): number =>
  Number.parseInt(md5(locationId).slice(0, 12), 16);

/** What the column holds of who may see an annotation: nothing where everybody may. */
export const visibilityColumn = (visibilityConfig: unknown): Fields | null => {
  const config = visibilityConfig as Fields | undefined;
  return config === undefined || config.type === 'public' ? null : config;
};

/** The record on the wire, without its comments. */
export const recordOf = ({ body, ...row }: StoredAnnotation & { folderId?: string | null }) => ({
  visibilityConfig: { type: 'public' },
  ...body,
  annotationId: row.annotationId,
  annotationNumber: row.annotationNumber,
  annotationIndex: row.annotationNumber,
  ...(row.locationId !== null && { locationId: locationNumber(row.locationId) }),
  metadata: {
    ...(body.metadata as Fields | undefined),
    apiKey: row.apiKeyId,
    organizationId: row.organizationId,
    documentId: row.documentId,
    ...(row.folderId != null && { folderId: row.folderId }),
  },
  createdAt: row.createdAt,
  lastUpdated: row.lastUpdated,
});

interface Told {
  actionUser?: Fields | undefined;
  targetComment?: Fields | undefined;
  loud: boolean;
  logged?: boolean;
}

/**
 * How many characters of annotations the events of one request may hold. Every event carries the whole record,
 * so that a few small comments on a huge annotation would fill the disk.
 */
export const MAX_TOLD = 32_000_000;

export const tooMuchToTell = (): ApiError =>
  invalidArgument('The annotation is too large for so many comments at once.');

/** How much the record of an annotation takes, in characters, near enough. */
export const sizeOf = ({ body }: Pick<StoredAnnotation, 'body'>): number => JSON.stringify(body).length;

/** An annotation with no more than tells which one it is. */
export const outlineOf = (row: StoredAnnotation): StoredAnnotation => {
  const { type, sourceType, visibilityConfig } = row.body;
  return { ...row, body: { type, sourceType, visibilityConfig } };
};

/** What an event carries about an annotation. */
export const eventOf = (row: StoredAnnotation, told: Told): EventPayload<'comment_annotation.add'> => ({
  organizationId: row.organizationId,
  documentId: row.documentId,
  annotationId: row.annotationId,
  commentAnnotation: recordOf(row),
  ...(row.visibility && { visibility: row.visibility }),
  ...told,
});
