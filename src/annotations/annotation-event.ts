import { type ApiError, invalidArgument } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { presentAnnotation, type StoredAnnotation } from './present-annotation.ts';

/** The payload that all events about an annotation share, as `events/event-catalog.ts` declares it. */
export interface AnnotationEvent extends EventDetails {
  organizationId: string;
  documentId: string;
  annotationId: string;
  /** The record on the wire, without its comments. */
  commentAnnotation: Fields;
  /** Absent for public annotations. */
  visibility?: Fields;
}

interface EventDetails {
  actionUser?: Fields | undefined;
  targetComment?: Fields | undefined;
  /** False for changes without notifications. */
  loud: boolean;
  /** False keeps the event out of the activity log; by default the same as `loud`. */
  logged?: boolean;
}

export const annotationEvent = (row: StoredAnnotation, details: EventDetails): AnnotationEvent => ({
  organizationId: row.organizationId,
  documentId: row.documentId,
  annotationId: row.annotationId,
  commentAnnotation: presentAnnotation(row),
  ...(row.visibility && { visibility: row.visibility }),
  ...details,
});

/**
 * Limit of the characters of annotation records in the events of one request. Every event contains the whole record,
 * so a few small comments on a huge annotation could otherwise fill the disk.
 */
export const MAX_EVENT_CHARS = 32_000_000;

/** The error for a request whose events exceed `MAX_EVENT_CHARS`. */
export const eventsTooLarge = (): ApiError =>
  invalidArgument('The annotation is too large for so many comments at once.');

/** Approximate characters of an annotation's record. */
export const recordSizeOf = ({ body }: Pick<StoredAnnotation, 'body'>): number => JSON.stringify(body).length;

/** The annotation reduced to what identifies it, for events in which its full record would be too large. */
export const outlineOf = (row: StoredAnnotation): StoredAnnotation => {
  const { type, sourceType, visibilityConfig } = row.body;
  return { ...row, body: { type, sourceType, visibilityConfig } };
};
