// A program over the types that openapi-typescript prints, with openapi-fetch. It has no cast and no `any`.
import { env, stdout } from 'node:process';
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './generated.ts';

type Schemas = components['schemas'];

const { REDPEN_URL = '', REDPEN_API_KEY = '', REDPEN_AUTH_TOKEN = '', REDPEN_MESSAGE = '' } = env;
const backend = createClient<paths>({
  baseUrl: REDPEN_URL,
  headers: { 'x-service-api-key': REDPEN_API_KEY, 'x-service-auth-token': REDPEN_AUTH_TOKEN },
});
const organizationId = 'acme';
const place = { organizationId, documentId: 'website' };
const told: Record<string, unknown> = {};

const must = <T>({ data, error }: { data?: T; error?: Schemas['Failure'] }): NonNullable<T> => {
  if (data === undefined || data === null) throw new Error(error?.error.message ?? 'no answer');
  return data;
};

must(
  await backend.POST('/v2/organizations/add', { body: { data: { organizations: [{ organizationId }] } } }),
);
const documents = [{ documentId: 'website', documentName: 'Website' }];
must(
  await backend.POST('/v2/organizations/documents/add', { body: { data: { organizationId, documents } } }),
);
const users = [{ userId: 'eve', name: 'Eve', email: 'eve@example.com' }];
must(await backend.POST('/v2/users/add', { body: { data: { organizationId, users } } }));
const { result: login } = must(
  await backend.POST('/v2/auth/generate_token', {
    body: {
      data: {
        userId: 'eve',
        userProperties: { name: 'Eve', email: 'eve@example.com' },
        permissions: { resources: [{ type: 'organization', id: organizationId }] },
      },
    },
  }),
);

const user = createClient<paths>({
  baseUrl: REDPEN_URL,
  headers: { authorization: `Bearer ${login.data.token}` },
});
const stop = new AbortController();
const { data: stream } = await user.GET('/v2/events', {
  params: { query: { ...place, events: 'comment' } },
  parseAs: 'stream',
  signal: stop.signal,
});
const arrived = readComment(stream);

const { result: added } = must(
  await user.POST('/v2/commentannotations/add', {
    body: { data: { ...place, commentAnnotations: [{ commentData: [{ commentText: 'Per year?' }] }] } },
  }),
);
const annotationId = Object.values(added.data)[0]?.annotationId ?? '';
must(
  await user.POST('/v2/commentannotations/comments/add', {
    body: { data: { ...place, annotationId, commentData: [{ commentText: 'Yes.' }] } },
  }),
);
told.event = await arrived;
stop.abort();

/** The requests ask for different forms of the list; `shape` tells which one arrived. */
function textsOf(result: Schemas['CommentannotationsGetResult']): string[] {
  const texts = (threads: (Schemas['Annotation'] | null)[]) =>
    threads.flatMap((thread) => thread?.comments?.map(({ commentText }) => commentText ?? '') ?? []);
  if (result.shape === 'list') return texts(result.data);
  if (result.shape === 'byDocument') return Object.values(result.data).flatMap(texts);
  return [];
}
const list = must(await user.POST('/v2/commentannotations/get', { body: { data: place } }));
const grouped = must(
  await backend.POST('/v2/commentannotations/get', {
    body: { data: { organizationId, groupByDocumentId: true } },
  }),
);
told.list = [list.result.shape, ...textsOf(list.result)];
told.grouped = [grouped.result.shape, ...textsOf(grouped.result)];

const editor = { ...place, editorId: 'notes', type: 'text', data: 'Hello.' } as const;
must(await backend.POST('/v2/crdt/add', { body: { data: editor } }));
const editors = must(await user.POST('/v2/crdt/get', { body: { data: { ...place, editorId: 'notes' } } }));
told.editors = editors.result.data.map(({ id, data }) => [id, data]);

const { error } = await backend.POST('/v2/agents/execution/get', { body: { data: { executionId: 'none' } } });
told.status = error?.error.status;

type Message = {
  [E in keyof webhooks]: webhooks[E]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

function describe(message: Message): string {
  if (message.event === 'document.update') return `${message.data.documentId} ${message.data.disabled}`;
  if (message.event === 'comment.add') return message.data.commentAnnotation.annotationId;
  return message.event;
}
const message: Message = JSON.parse(REDPEN_MESSAGE);
told.message = describe(message);
stdout.write(JSON.stringify(told));

async function readComment(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined,
): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const [, data] = /event: comment\.add\ndata: (.*)\n\n/.exec(text) ?? [];
    if (data === undefined) continue;
    const event: Schemas['LiveEventData'] = JSON.parse(data);
    return event.targetComment?.commentText ?? '';
  }
  return 'nothing';
}
