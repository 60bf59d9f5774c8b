import { write } from '../../http/endpoint.ts';
import { done, presenceOnDocument } from '../../shapes/presence.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { putPresence } from '../../store/live/presence-rows.ts';

export default write({
  path: '/v2/presence/update',
  auth: 'apiKey',
  summary: 'Update the presence of users on a document.',
  description: 'Users without an entry are added.',
  data: presenceOnDocument,
  result: done,
  message: 'Presence updated successfully.',
  failures: { NOT_FOUND: 'The document does not exist.' },

  async handle({ users, ...place }, { tx, caller }) {
    await lockDocument(tx, caller, place, { create: false });
    await putPresence(tx, caller, place, users);
    return { success: true as const };
  },
});
