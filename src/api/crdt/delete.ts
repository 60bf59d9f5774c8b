import { z } from 'zod';
import { isTransient } from '../../db/database-errors.ts';
import { call } from '../../http/endpoint.ts';
import { writersIn } from '../../realtime/document/read-stored.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import { editorId } from '../../shapes/crdt.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { deleteEditors } from '../../store/live/crdt-deletions.ts';

const TRIES = 3;

export default call({
  path: '/v2/crdt/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete live editors with their content and snapshots.',
  description:
    'Connected clients are disconnected and cannot restore deleted content by reconnecting. An editor that does not exist counts as deleted.',
  data: z
    .object({
      organizationId,
      documentId,
      editorIds: z
        .array(editorId)
        .min(1)
        .max(MAX_BATCH)
        .optional()
        .describe('Defaults to all editors of the document.'),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', editorIds: ['notes'] }] }),
  result: z.undefined(),
  envelope: 'status',
  message: 'CRDT data deleted successfully.',

  async handle({ editorIds, ...place }, { caller, editors, transaction }) {
    const remove = async (triesLeft: number) => {
      try {
        return await transaction((tx) =>
          deleteEditors(tx, caller, place, editorIds, (stored) => writersIn(caller.apiKeyId, stored)),
        );
      } catch (error) {
        // A transaction that writes to several of the editors may hold their locks.
        if (triesLeft === 0 || !isTransient(error)) throw error;
        return await remove(triesLeft - 1);
      }
    };
    await editors.drop(caller, await remove(TRIES));
    return undefined;
  },
});
