import { write } from '../../http/endpoint.ts';
import { done, presenceOnDocument } from '../../shapes/presence.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { putPresence } from '../../store/live/presence-rows.ts';

export default write({
  path: '/v2/presence/update',
  auth: 'apiKey',
  summary: 'Change who is on a document, and in what state. Users who were not noted before are added.',
  data: presenceOnDocument,
  result: done,
  message: 'Presence updated successfully.',
  failures: { NOT_FOUND: 'There is no such document.' },

  async handle({ users, ...place }, { tx, caller }) {
    await lockDocument(tx, caller, place, { create: false });
    await putPresence(tx, caller, place, users);
    return { success: true as const };
  },
});
