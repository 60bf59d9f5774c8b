import type { DocumentTables } from '../db/tables/documents.ts';
import type { EventPayload } from '../events/catalog.ts';
import { md5 } from '../lib/ids.ts';

export type StoredAnnotation = DocumentTables['annotations'];
type Fields = Record<string, unknown>;

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

/** What an event carries about an annotation. */
export const eventOf = (row: StoredAnnotation, told: Told): EventPayload<'comment_annotation.add'> => ({
  organizationId: row.organizationId,
  documentId: row.documentId,
  annotationId: row.annotationId,
  commentAnnotation: recordOf(row),
  ...(row.visibility && { visibility: row.visibility }),
  ...told,
});
