import { z } from 'zod';
import { actingUser } from '../../../access/authorize.ts';
import { read } from '../../../http/endpoint.ts';
import { invalidRequest, permissionDenied } from '../../../lib/errors.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import {
  annotationSearch,
  namesPagesOnce,
  storedSearch,
} from '../../../shapes/annotations/annotation-search.ts';
import { documentId, organizationId, userId } from '../../../shapes/id-fields.ts';
import { loadReader, loadStoredReader } from '../../../store/access/visibility-sql.ts';
import { countAnnotations } from '../../../store/annotations/annotation-views.ts';

export default read({
  path: ['/v2/commentannotations/count/get', '/v1/commentannotations/count/get'],
  auth: 'apiKeyOrUser',
  summary: 'Count the annotations of documents that a user may see, and how many are unread.',
  description:
    'An annotation is unread if the user has not viewed it since its last update. Documents that do not exist have zeros, as do, with a user token, those that the user may not open.',
  data: z
    .object({
      organizationId,
      documentIds: z.array(documentId).min(1).max(30),
      userId: userId
        .optional()
        .describe('User whose annotations are counted. Required unless the caller is a user.'),
      allAnnotations: z
        .literal(true)
        .optional()
        .describe('Counts also annotations that the user may not see, as an API key may.'),
      statusIds: z.array(z.string()).min(1).max(30).optional(),
      ...annotationSearch,
    })
    .refine(namesPagesOnce, {
      ...withOtherProblems,
      error: 'pageUrl and pageUrls cannot be sent together.',
    })
    .meta({ examples: [{ organizationId: 'acme', documentIds: ['website'], userId: 'eve' }] }),
  result: z
    .record(z.string(), z.object({ total: z.number().int(), unread: z.number().int() }))
    .describe('Keyed by documentId.'),
  message: 'Comment count retrieved successfully.',
  failures: { PERMISSION_DENIED: 'A user asks for the annotations of others, or for all annotations.' },

  async handle({ organizationId, documentIds, userId, allAnnotations = false, ...rest }, { db, caller }) {
    if (caller.user && allAnnotations)
      throw permissionDenied('A user counts what they may see: allAnnotations is for API keys.');
    const reading = actingUser(caller, userId === undefined ? undefined : { userId });
    if (!reading) {
      throw invalidRequest([{ path: ['userId'], code: 'custom', message: 'userId is required.' }]);
    }
    const reader =
      (await loadReader(db, caller, organizationId)) ??
      (await loadStoredReader(db, caller, organizationId, reading.userId));
    const search = storedSearch(rest, { apiKeyId: caller.apiKeyId, organizationId, documentIds });
    const filter = { organizationId, documentIds, search };
    const counts = await countAnnotations(db, caller, filter, reader, {
      readable: caller.user !== undefined,
      all: allAnnotations,
    });
    return Object.fromEntries(documentIds.map((id) => [id, counts.get(id) ?? { total: 0, unread: 0 }]));
  },
});
