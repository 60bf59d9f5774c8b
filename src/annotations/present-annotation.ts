import type { DocumentTables } from '../db/tables/document-tables.ts';
import { md5 } from '../lib/ids.ts';
import type { Fields } from '../lib/json.ts';
import { safeStoredHtml } from '../lib/text/html.ts';
import type { Visibility } from '../shapes/annotations/annotation.ts';
import type { Comment } from '../shapes/annotations/comment-record.ts';
import type { User } from '../shapes/user.ts';

export type StoredAnnotation = DocumentTables['annotations'];

/** The number by which records name a location; at most 2^48, so that JSON represents it exactly. */
export const locationNumber = (locationId: string): number =>
  Number.parseInt(md5(locationId).slice(0, 12), 16);

/** The value of the column `visibility`: null for public annotations. */
export const visibilityColumn = (visibility: Visibility | undefined): Visibility | null =>
  visibility === undefined || visibility.type === 'public' ? null : visibility;

/** The columns from which records are made. */
export type PresentedRow = Pick<
  StoredAnnotation,
  | 'apiKeyId'
  | 'organizationId'
  | 'documentId'
  | 'annotationId'
  | 'annotationNumber'
  | 'locationId'
  | 'body'
  | 'createdAt'
  | 'lastUpdated'
>;

/** The record on the wire, without its comments. */
export const presentAnnotation = (row: PresentedRow & { folderId?: string | null }) => ({
  visibilityConfig: { type: 'public' },
  ...row.body,
  annotationId: row.annotationId,
  annotationNumber: row.annotationNumber,
  annotationIndex: row.annotationNumber,
  ...(row.locationId !== null && { locationId: locationNumber(row.locationId) }),
  metadata: {
    ...row.body.metadata,
    apiKey: row.apiKeyId,
    organizationId: row.organizationId,
    documentId: row.documentId,
    ...(row.folderId != null && { folderId: row.folderId }),
  },
  createdAt: row.createdAt,
  lastUpdated: row.lastUpdated,
});

interface CommentRow {
  commentId: number;
  body: Fields;
  createdAt: number;
  lastUpdated: number;
}

/** The comment on the wire. Its HTML was sanitized on the way in; rows may be older than today's rules. */
export const recordOfComment = ({ commentId, body, createdAt, lastUpdated }: CommentRow): Comment => ({
  ...body,
  ...Object.fromEntries(
    (['commentHtml', 'replaceContentHtml'] as const).flatMap((name) => {
      const html = body[name];
      return typeof html === 'string' ? [[name, safeStoredHtml(html)]] : [];
    }),
  ),
  commentId,
  createdAt,
  lastUpdated: new Date(lastUpdated).toISOString(),
});

/** `subscribedUsers` for users who follow an annotation without having asked to. */
export const subscriptionsOf = (users: readonly User[]): Record<string, { user: User; type: 'auto' }> =>
  Object.fromEntries(users.map((user) => [md5(user.userId), { user, type: 'auto' as const }]));
