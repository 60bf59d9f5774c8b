import { z } from 'zod';
import { authorizeContacts } from '../../access/authorize.ts';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { permissionDenied } from '../../lib/errors.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { contact, isOnePlace, ONE_PLACE, userFilter, userScope } from '../../shapes/user.ts';
import { listDocumentUsers, listUsers, listUsersByDocument } from '../../store/users/list-users.ts';
import { searchUsers } from '../../store/users/search-users.ts';

const contacts = z.array(contact);
const byDocument = z.record(z.string(), contacts);

export default read({
  path: '/v2/users/get',
  auth: 'apiKeyOrUser',
  summary: 'List the users of an organization, of one document or folder, or of all documents.',
  description:
    'By default, lists users with a stored grant on exactly this place that has not expired, in the order in which they were added: those of an organization do not include those of its documents. With a user token, the user needs access to the place, and `allDocuments` is refused.',
  data: z
    .object({
      ...userScope,
      ...userFilter,
      text: z
        .string()
        .trim()
        .min(1)
        .max(100)
        .optional()
        .describe(
          'Returns people by name whose name or email has words that begin with those of this text, in any case. Includes people who are not added, but whose tokens grant this place.',
        ),
      allDocuments: z
        .boolean()
        .default(false)
        .describe('If true, returns the users of all documents, ordered by id.'),
      groupByDocumentId: z
        .boolean()
        .default(false)
        .describe('With allDocuments: groups the users by document id. `shape` is then `byDocument`.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .refine((data) => !data.allDocuments || (data.documentId ?? data.folderId) === undefined, {
      error: 'allDocuments excludes documentId and folderId.',
      ...withOtherProblems,
    })
    .refine((data) => !data.allDocuments || data.text === undefined, {
      error: 'allDocuments excludes text.',
      ...withOtherProblems,
    })
    .refine((data) => !data.groupByDocumentId || data.allDocuments, {
      error: 'groupByDocumentId needs allDocuments.',
      ...withOtherProblems,
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', pageSize: 100 }] }),
  result: z.union([contacts, byDocument]),
  shapes: {
    list: { when: 'Without `groupByDocumentId`.', data: contacts },
    byDocument: { when: 'With `groupByDocumentId`.', data: byDocument.describe('Keyed by documentId.') },
  },
  shapeOf: (_, { groupByDocumentId }) => (groupByDocumentId ? 'byDocument' : 'list'),
  message: 'User(s) retrieved successfully.',
  page: 'nextPageToken',
  failures: { PERMISSION_DENIED: 'The user has no access to the organization, document or folder.' },

  async handle({ pageSize, pageToken, ...asked }, { db, caller, keyring }) {
    const { userIds, organizationUserGroupIds, allDocuments, groupByDocumentId, text, ...place } = asked;
    const { organizationId } = place;
    // The users of all documents would include documents that the caller has no access to.
    if (caller.user && allDocuments) throw permissionDenied('allDocuments is not for users.');
    await authorizeContacts(db, caller, place);
    const filter = { userIds, groupIds: organizationUserGroupIds };
    const list = ['users', caller.apiKeyId, caller.user?.userId ?? '', JSON.stringify(asked)];
    const request = { keyring, list, pageToken, pageSize };
    if (groupByDocumentId) {
      const { rows, next } = await pageOf(
        request,
        (page) => listUsersByDocument(db, caller, organizationId, filter, page),
        (row) => row.position,
      );
      const groups = Map.groupBy(rows, (row) => row.documentId);
      const entries = [...groups].map(([id, members]) => [id, members.map((row) => row.record)]);
      return { data: Object.fromEntries(entries), next };
    }
    const { rows, next } = await pageOf(
      request,
      (page) =>
        text !== undefined
          ? searchUsers(db, caller, place, { ...filter, text }, page)
          : allDocuments
            ? listDocumentUsers(db, caller, organizationId, filter, page)
            : listUsers(db, caller, place, filter, page),
      (row) => row.position,
    );
    return { data: rows.map((row) => row.record), next };
  },
});
