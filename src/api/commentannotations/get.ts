import { z } from 'zod';
import { actingUser, authorize } from '../../access/authorize.ts';
import { type AttachmentLink, storedIdsOf, withLinks } from '../../annotations/attachment-record.ts';
import { attachmentLinks } from '../../files/attachments.ts';
import { read } from '../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../lib/cursor.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { agentSources, agentTypes } from '../../shapes/annotations/annotation.ts';
import { type AnnotationAnchor, annotationAnchor } from '../../shapes/annotations/annotation-anchor.ts';
import { type Annotation, annotation } from '../../shapes/annotations/annotation-record.ts';
import {
  annotationSearch,
  namesPagesOnce,
  storedSearch,
} from '../../shapes/annotations/annotation-search.ts';
import {
  agentId,
  annotationId,
  documentId,
  executionId,
  folderId,
  organizationId,
  userId,
} from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { listAnchors } from '../../store/annotation-lists/list-anchors.ts';
import {
  type ListedAnnotation,
  listAnnotations,
  pageAnnotations,
} from '../../store/annotation-lists/list-annotations.ts';

const upTo30 = <T extends z.ZodType>(id: T) => z.array(id).min(1).max(30).optional();
const at = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().describe('Epoch milliseconds.');
/** Full records first: an anchor is strict, and no full record is one. */
const record = z.union([annotation, annotationAnchor]);
type Shown = Annotation | AnnotationAnchor;
const ONE_OF = [
  'agentId',
  'executionId',
  'agentType',
  'agentSource',
  'agentSuggestions',
  'agentComments',
] as const;

export default read({
  path: ['/v2/commentannotations/get', '/v1/commentannotations/get'],
  auth: 'apiKeyOrUser',
  summary: 'List comment annotations with their comments.',
  description:
    'Conditions are combined; a list has alternatives. Users of tokens get only annotations that they may see, with `isUnread`, on documents that they may open. Reading does not mark as read.',
  data: z
    .object({
      organizationId,
      documentId: documentId.optional(),
      documentIds: upTo30(documentId).describe(
        'Alternative to documentId. Without either, annotations on all documents are returned.',
      ),
      folderId: folderId.optional().describe('Returns only annotations on documents in this folder.'),
      annotationIds: upTo30(annotationId).describe(
        'Returns these entries in this order, with `null` for those that do not exist.',
      ),
      locationIds: upTo30(z.union([z.string(), z.number().transform(String)])),
      userIds: upTo30(userId).describe("Ids of the annotations' authors."),
      mentionedUserIds: upTo30(userId),
      resolvedBy: userId.optional(),
      statusIds: upTo30(z.string()),
      agentId: agentId.optional(),
      executionId: executionId.optional(),
      agentType: z.enum(agentTypes).optional(),
      agentSource: z.enum(agentSources).optional(),
      agentSuggestions: z.literal(true).optional(),
      agentComments: z.literal(true).optional(),
      ...annotationSearch,
      updatedAfter: at,
      updatedBefore: at,
      createdAfter: at,
      createdBefore: at,
      order: z.enum(['asc', 'desc']).default('desc').describe('Order by last update.'),
      groupByDocumentId: z
        .boolean()
        .default(false)
        .describe(
          'Groups the annotations by documentId: `shape` is then `byDocument` or `anchorsByDocument`.',
        ),
      fields: z
        .enum(['all', 'anchors'])
        .default('all')
        .describe(
          '`anchors` returns only what pins need, without comments: `shape` is then `anchors` or `anchorsByDocument`.',
        ),
      unreadFor: userId
        .optional()
        .describe(
          'Adds `isUnread` for this user. For API keys: with a user token it is that of its user in any case.',
        ),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .refine((data) => data.documentId === undefined || data.documentIds === undefined, {
      ...withOtherProblems,
      error: 'documentId and documentIds cannot be sent together.',
    })
    .refine(namesPagesOnce, {
      ...withOtherProblems,
      error: 'pageUrl and pageUrls cannot be sent together.',
    })
    .refine((data) => ONE_OF.filter((field) => data[field] !== undefined).length <= 1, {
      ...withOtherProblems,
      error: `Only one of ${ONE_OF.join(', ')} may be sent.`,
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', agentSuggestions: true }] }),
  ignores: ({ annotationIds, order }) =>
    annotationIds && order !== undefined
      ? [{ path: ['order'], because: 'annotations are returned in the order of annotationIds' }]
      : [],
  result: z.union([z.array(record.nullable()), z.record(z.string(), z.array(record))]),
  shapes: {
    list: { when: 'By default.', data: z.array(annotation.nullable()) },
    byDocument: {
      when: 'With `groupByDocumentId`.',
      data: z.record(z.string(), z.array(annotation)).describe('Keyed by documentId.'),
    },
    anchors: { when: 'With `fields: "anchors"`.', data: z.array(annotationAnchor.nullable()) },
    anchorsByDocument: {
      when: 'With `fields: "anchors"` and `groupByDocumentId`.',
      data: z.record(z.string(), z.array(annotationAnchor)).describe('Keyed by documentId.'),
    },
  },
  shapeOf: (_, { groupByDocumentId, fields }) =>
    fields === 'anchors'
      ? groupByDocumentId
        ? 'anchorsByDocument'
        : 'anchors'
      : groupByDocumentId
        ? 'byDocument'
        : 'list',
  message: (result) =>
    Array.isArray(result) ? 'Annotation(s) fetched successfully.' : 'Annotations fetched successfully.',
  page: 'nextPageToken',

  async handle(
    {
      organizationId,
      documentId,
      documentIds,
      folderId,
      pageToken,
      pageSize,
      order,
      groupByDocumentId,
      fields,
      unreadFor,
      ...rest
    },
    { db, caller, keyring, origin },
  ) {
    if (documentId !== undefined) await authorize(db, caller, { organizationId, documentId }, 'viewer');
    const place = {
      organizationId,
      documentId,
      documentIds: documentIds && [...new Set(documentIds)],
      folderId,
    };
    const { apiKeyId } = caller;
    const filter = {
      ...storedSearch(rest, {
        apiKeyId,
        organizationId,
        documentIds: documentId === undefined ? place.documentIds : [documentId],
      }),
      annotationIds: rest.annotationIds && [...new Set(rest.annotationIds)],
    };
    const cursorOf = [
      'annotations',
      caller.apiKeyId,
      caller.user?.userId ?? '',
      order,
      JSON.stringify([place, filter]),
    ];
    const position = pageToken === undefined ? [] : openCursor(keyring, cursorOf, pageToken);
    if (unreadFor !== undefined) actingUser(caller, { userId: unreadFor }, 'unreadFor');
    const reader = await loadReader(db, caller, organizationId);
    const listing = { ...place, filter, reader, unreadFor };
    const request = { order, position, size: pageSize };
    const rowsOf = fields === 'anchors' ? listAnchors : listAnnotations;
    const { rows: found, next } = await pageAnnotations<Shown>(rowsOf, db, caller, listing, request);
    const link = attachmentLinks(keyring, origin(), apiKeyId);
    const rows = found.map((row) => row && { ...row, record: linked(row.record, link) });
    return {
      data: groupByDocumentId ? grouped(rows) : rows.map((row) => row?.record ?? null),
      next: next && sealCursor(keyring, cursorOf, next),
    };
  },
});

const linked = (record: Shown, link: AttachmentLink): Shown =>
  'comments' in record && record.comments?.some((comment) => storedIdsOf(comment.attachments).length > 0)
    ? { ...record, comments: record.comments.map((comment) => withLinks(comment, link)) }
    : record;

const grouped = (rows: (ListedAnnotation<Shown> | null)[]) =>
  Object.fromEntries(
    [
      ...Map.groupBy(
        rows.filter((row) => row !== null),
        (row) => row.documentId,
      ),
    ].map(([id, ofDocument]) => [id, ofDocument.map((row) => row.record)]),
  );
