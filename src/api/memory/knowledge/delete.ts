import { z } from 'zod';
import { deleteFile } from '../../../files/stored-files.ts';
import { call } from '../../../http/endpoint.ts';
import { knowledgeBodyBytes, knowledgeRate, sourceId } from '../../../shapes/memory/knowledge.ts';
import { deleteKnowledgeSource } from '../../../store/knowledge/delete-knowledge.ts';

export default call({
  path: '/v2/memory/knowledge/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete a knowledge source.',
  description: 'Deletes its rules, its text and the file.',
  data: z.strictObject({ sourceId }).meta({ examples: [{ sourceId: 'src_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({
    status: z.literal('deleted'),
    sourceId: z.string(),
    deletedChunks: z.number(),
    deletedRules: z.number(),
  }),
  message: '',
  envelope: 'bare',
  bodyLimitBytes: knowledgeBodyBytes,
  rateLimit: knowledgeRate('delete', 30),
  failures: {
    NOT_FOUND: 'The knowledge source does not exist.',
    ABORTED:
      'The source is still being processed, or `details.dependentCount` other sources share its content.',
  },

  async handle({ sourceId }, { caller, db, outside, transaction }) {
    const { blobKey, ...deleted } = await transaction((tx) => deleteKnowledgeSource(tx, caller, sourceId));
    // If this fails, the next run of the trash deletes the file.
    if (blobKey !== undefined) await deleteFile(db, outside.blobs, caller, blobKey).catch(() => {});
    return { status: 'deleted' as const, sourceId, ...deleted };
  },
});
