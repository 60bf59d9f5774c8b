import { openEditor } from '../packages/client/src/editors.ts';
import { createClient, type Redpen } from '../packages/client/src/index.ts';

const { REDPEN_URL: baseUrl = 'http://127.0.0.1:8080', ...env } = process.env;
const backend = createClient({ baseUrl, apiKey: env.REDPEN_API_KEY, authToken: env.REDPEN_AUTH_TOKEN });
const place = { organizationId: 'acme', documentId: 'first' };
await backend.documents.add({ organizationId: 'acme', documents: [{ documentId: 'first' }] });

function signIn(userId: string): Redpen {
  const userProperties = { name: userId, email: `${userId}@acme.dev` };
  const permissions = { resources: [{ type: 'organization' as const, id: 'acme' }] };
  const getToken = () => backend.auth.generateToken({ userId, userProperties, permissions });
  return createClient({ baseUrl, getUserToken: async () => (await getToken()).token });
}
const [ada, bob] = [signIn('ada'), signIn('bob')];

const thread = { commentData: [{ commentText: 'Shorter, please.' }] };
const onOpen = () => void ada.annotations.add({ ...place, commentAnnotations: [thread] });
for await (const { event, data } of bob.events({ ...place, families: ['comment_annotation'] }, { onOpen })) {
  if (event === 'comment_annotation.add') console.log(`Bob sees: ${data.targetComment?.commentText}`);
  break;
}

const editor = { ...place, editorId: 'text' };
const [adas, bobs] = [openEditor(ada, editor), openEditor(bob, editor)];
await Promise.all([adas.synced, bobs.synced]);
const text = bobs.ydoc.getText('content');
text.observe(() => {
  console.log(`Bob reads: ${text}`);
  for (const one of [adas, bobs]) one.close();
});
adas.ydoc.getText('content').insert(0, 'A shorter headline. ');
