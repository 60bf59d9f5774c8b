// A program over the client that @hey-api/openapi-ts prints. It has no cast and no `any`.
import { env, stdout } from 'node:process';
import { createClient, createConfig } from './generated/client/index.js';
import {
  agentsExecutionGet,
  authGenerateToken,
  commentannotationsAdd,
  commentannotationsCommentsAdd,
  commentannotationsGet,
  crdtAdd,
  crdtGet,
  events,
  organizationsAdd,
  organizationsDocumentsAdd,
  usersAdd,
} from './generated/sdk.gen.js';
import type { Annotation, CommentannotationsGetResult, Failure, Webhooks } from './generated/types.gen.js';

const { REDPEN_URL = '', REDPEN_API_KEY = '', REDPEN_AUTH_TOKEN = '', REDPEN_MESSAGE = '' } = env;
const keys: Record<string, string> = {
  'x-service-api-key': REDPEN_API_KEY,
  'x-service-auth-token': REDPEN_AUTH_TOKEN,
};
const backend = createClient(createConfig({ baseUrl: REDPEN_URL, auth: ({ name }) => keys[name ?? ''] }));
const organizationId = 'acme';
const place = { organizationId, documentId: 'website' };
const told: Record<string, unknown> = {};

const must = <T>({ data, error }: { data: T; error: Failure | undefined }): NonNullable<T> => {
  if (data === undefined || data === null) throw new Error(error?.error.message ?? 'no answer');
  return data;
};

must(await organizationsAdd({ client: backend, body: { data: { organizations: [{ organizationId }] } } }));
const documents = [{ documentId: 'website', documentName: 'Website' }];
must(await organizationsDocumentsAdd({ client: backend, body: { data: { organizationId, documents } } }));
const users = [{ userId: 'eve', name: 'Eve', email: 'eve@example.com' }];
must(await usersAdd({ client: backend, body: { data: { organizationId, users } } }));
const { result: login } = must(
  await authGenerateToken({
    client: backend,
    body: {
      data: {
        userId: 'eve',
        userProperties: { name: 'Eve', email: 'eve@example.com' },
        permissions: { resources: [{ type: 'organization', id: organizationId }] },
      },
    },
  }),
);

const { token } = login.data;
const user = createClient(
  createConfig({ baseUrl: REDPEN_URL, auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined) }),
);
const stop = new AbortController();
let onOpen = () => {};
const opened = new Promise<void>((resolve) => {
  onOpen = resolve;
});
const { stream } = await events({
  client: user,
  query: { ...place, events: 'comment' },
  signal: stop.signal,
  // The first message is the position at which the stream begins.
  onSseEvent: () => onOpen(),
});
const arrived = (async () => {
  for await (const { targetComment } of stream) {
    if (targetComment?.commentText !== undefined) return targetComment.commentText;
  }
  return 'nothing';
})();
await opened;

const { result: added } = must(
  await commentannotationsAdd({
    client: user,
    body: { data: { ...place, commentAnnotations: [{ commentData: [{ commentText: 'Per year?' }] }] } },
  }),
);
const annotationId = Object.values(added.data)[0]?.annotationId ?? '';
must(
  await commentannotationsCommentsAdd({
    client: user,
    body: { data: { ...place, annotationId, commentData: [{ commentText: 'Yes.' }] } },
  }),
);
told.event = await arrived;
stop.abort();

/** The requests ask for different forms of the list; `shape` tells which one arrived. */
function textsOf(result: CommentannotationsGetResult): string[] {
  const texts = (threads: (Annotation | null)[]) =>
    threads.flatMap((thread) => thread?.comments?.map(({ commentText }) => commentText ?? '') ?? []);
  if (result.shape === 'list') return texts(result.data);
  if (result.shape === 'byDocument') return Object.values(result.data).flatMap(texts);
  return [];
}
const list = must(await commentannotationsGet({ client: user, body: { data: place } }));
const grouped = must(
  await commentannotationsGet({
    client: backend,
    body: { data: { organizationId, groupByDocumentId: true } },
  }),
);
told.list = [list.result.shape, ...textsOf(list.result)];
told.grouped = [grouped.result.shape, ...textsOf(grouped.result)];

const editor = { ...place, editorId: 'notes', type: 'text', data: 'Hello.' } as const;
must(await crdtAdd({ client: backend, body: { data: editor } }));
const editors = must(await crdtGet({ client: user, body: { data: { ...place, editorId: 'notes' } } }));
told.editors = editors.result.data.map(({ id, data }) => [id, data]);

const { error } = await agentsExecutionGet({ client: backend, body: { data: { executionId: 'none' } } });
told.status = error?.error.status;

type Message = Webhooks['body'];

function describe(message: Message): string {
  if (message.event === 'document.update') return `${message.data.documentId} ${message.data.disabled}`;
  if (message.event === 'comment.add') return message.data.commentAnnotation.annotationId;
  return message.event;
}
const message: Message = JSON.parse(REDPEN_MESSAGE);
told.message = describe(message);
stdout.write(JSON.stringify(told));
