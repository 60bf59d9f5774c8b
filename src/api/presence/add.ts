import { authorize } from '../../access/authorize.ts';
import { ownPresence } from '../../access/own-presence.ts';
import { write } from '../../http/endpoint.ts';
import { done, presenceOnDocument } from '../../shapes/presence.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { putPresence } from '../../store/live/presence-rows.ts';

export default write({
  path: '/v2/presence/add',
  auth: 'apiKeyOrUser',
  summary: 'Add users to the presence list of a document.',
  description: 'Users only add themselves, and may be viewers; name and email are those of their token.',
  data: presenceOnDocument,
  result: done,
  message: 'Presence added successfully.',
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
