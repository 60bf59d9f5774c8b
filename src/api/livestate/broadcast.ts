import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { write } from '../../http/endpoint.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { done, liveStateDataId } from '../../shapes/presence.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { broadcastLiveState } from '../../store/live/live-states.ts';

export default write({
  path: '/v2/livestate/broadcast',
  auth: 'apiKeyOrUser',
  summary: 'Set a shared live state of a document, and broadcast it.',
  description: 'A user must be an editor of the document, since all of its readers get the state.',
  data: z
    .object({
      organizationId,
      documentId,
      liveStateDataId,
      data: z.record(z.string(), z.unknown()).describe('At most 65,536 bytes as JSON, after merging.'),
      merge: z
        .boolean()
        .default(false)
        .describe('If true, merges the data deeply into the state instead of replacing it.'),
    })
    .meta({
      examples: [
        { organizationId: 'acme', documentId: 'website', liveStateDataId: 'slide', data: { current: 7 } },
      ],
    }),
  result: done,
  message: 'Event broadcasted successfully.',
  failures: {
    NOT_FOUND: 'The document does not exist.',
    PERMISSION_DENIED: 'The user is no editor of the document.',
  },

  async handle({ data, merge, ...state }, { tx, caller }) {
    await authorize(tx, caller, state, 'editor');
    await lockDocument(tx, caller, state, { create: false });
    await broadcastLiveState(tx, caller, state, data, { merge });
    return { success: true as const };
  },
});
