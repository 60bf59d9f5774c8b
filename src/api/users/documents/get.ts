import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { organizationId, userId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { contact } from '../../../shapes/user.ts';
import { listDocumentUsers, mapDocumentsOfUsers } from '../../../store/users/list-users.ts';

const MAX_INVOLVED = 1_000;

export default read({
  path: '/v2/users/documents/get',
  auth: 'apiKey',
  summary: 'List the users of all documents of an organization, ordered by id.',
  description:
    'Each user is listed once, however many documents they have. Only stored grants on documents count, not those on the organization or its folders.',
  data: z
    .object({
      organizationId,
      userIds: z.array(userId).min(1).max(20).optional().describe('Returns only the entries with these ids.'),
      includeInvolvedDocuments: z
        .boolean()
        .default(false)
        .describe(
          `With at most 5 userIds: includes the first ${MAX_INVOLVED} documents of each user, ordered by id.`,
        ),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .refine((data) => !data.includeInvolvedDocuments || (data.userIds && data.userIds.length <= 5), {
      error: 'includeInvolvedDocuments needs userIds, at most 5.',
      ...withOtherProblems,
    })
    .meta({ examples: [{ organizationId: 'acme', userIds: ['eve'], includeInvolvedDocuments: true }] }),
  result: z.array(
    contact.extend({
      involvedDocumentIds: z.array(z.string()).optional().describe('Present with includeInvolvedDocuments.'),
    }),
  ),
  message: 'Document users retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken, ...asked }, { db, caller, keyring }) {
    const { organizationId, userIds, includeInvolvedDocuments } = asked;
    const list = ['document users', caller.apiKeyId, JSON.stringify(asked)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      (page) => listDocumentUsers(db, caller, organizationId, { userIds }, page),
      (row) => row.position,
    );
    const shown = rows.map((row) => row.record);
    if (!includeInvolvedDocuments) return { data: shown, next };
    const ids = shown.map((record) => record.userId);
    const involved = await mapDocumentsOfUsers(db, caller, organizationId, ids, MAX_INVOLVED);
    const data = shown.map((record) => ({
      ...record,
      involvedDocumentIds: involved.get(record.userId) ?? [],
    }));
    return { data, next };
  },
});
