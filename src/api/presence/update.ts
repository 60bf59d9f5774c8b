import { authorize } from '../../access/authorize.ts';
import { ownPresence } from '../../access/own-presence.ts';
import { write } from '../../http/endpoint.ts';
import { done, presenceOnDocument } from '../../shapes/presence.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { putPresence } from '../../store/live/presence-rows.ts';

export default write({
  path: '/v2/presence/update',
  auth: 'apiKeyOrUser',
  summary: 'Update the presence of users on a document.',
  description: 'Users without an entry are added. With a user token, as for presence/add.',
  data: presenceOnDocument,
  result: done,
  message: 'Presence updated successfully.',
  failures: {
    NOT_FOUND: 'The document does not exist.',
    PERMISSION_DENIED: 'The user has no access to the document, or names another user.',
  },

  async handle({ users, ...place }, { tx, caller }) {
    await authorize(tx, caller, place, 'viewer');
    const present = ownPresence(caller.user, users);
    await lockDocument(tx, caller, place, { create: false });
    await putPresence(tx, caller, place, present);
    return { success: true as const };
  },
});
