import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, RedpenError, type UploadProgress } from '../../packages/client/src/index.ts';
import { png } from '../documents/attachments.ts';
import { readKnowledge } from '../every-operation/known-file.ts';
import { newUserToken } from '../people/user-token.ts';
import type { TestWorkspace } from '../service/harness.ts';
import { credentialsOf, newClient, serviceUrl } from './client-stage.ts';

const place = { organizationId: 'acme', documentId: 'home' };

async function addDocument({ must }: TestWorkspace): Promise<void> {
  await must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  await must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
}

test('a user uploads a file with progress, and a comment holds it', async () => {
  const { workspace } = await newClient();
  await addDocument(workspace);
  const { token } = await newUserToken(workspace, {
    resources: [{ type: 'document', id: 'home', organizationId: 'acme', accessRole: 'editor' }],
  });
  const redpen = createClient({ baseUrl: await serviceUrl(), getUserToken: () => token });
  const picture = Buffer.concat([png(40, 30), Buffer.alloc(2_000_000)]);
  const progress: UploadProgress[] = [];
  const file = new File([picture], 'shot.png', { type: 'image/png' });
  const uploaded = await redpen.attachments.upload(file, {
    ...place,
    onProgress: (step) => progress.push(step),
  });
  expect(uploaded).toMatchObject({ fileName: 'shot.png', mimeType: 'image/png', size: picture.length });
  expect(progress.length).toBeGreaterThan(3);
  expect(progress.map(({ sent }) => sent)).toEqual(progress.map(({ sent }) => sent).sort((a, b) => a - b));
  expect(progress.at(-1)).toEqual({ sent: picture.length, total: picture.length });
  const { attachmentId } = uploaded;
  await redpen.annotations.add({
    ...place,
    commentAnnotations: [{ commentData: [{ attachments: [{ attachmentId }] }] }],
  });
  const [thread] = await redpen.annotations.all(place, { max: 9 });
  expect(thread?.comments?.[0]?.attachments).toMatchObject([{ attachmentId, width: 40, height: 30 }]);
  expect((await redpen.attachments.all(place, { max: 9 })).map((one) => one.status)).toEqual(['attached']);
});

test('a file of another type than announced is an error of the service, and a signal ends an upload', async () => {
  const { workspace, redpen } = await newClient();
  await addDocument(workspace);
  const wrong = redpen.attachments.upload(new Blob(['no picture'], { type: 'image/png' }), place);
  await expect(wrong).rejects.toMatchObject({ name: 'RedpenError', status: 'INVALID_ARGUMENT' });
  const stop = new AbortController();
  const stopped = redpen.attachments.upload(new Blob([new Uint8Array(5_000_000)]), {
    ...place,
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('enough')),
  });
  await expect(stopped).rejects.toThrow('enough');
});

/** A proxy that passes uploads on, and breaks the connection of the first instead of answering. */
async function breakingProxy(target: string): Promise<{ url: string; uploads(): number }> {
  let uploads = 0;
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = new Headers({ 'x-forwarded-host': request.headers.host! });
    for (const name of ['content-type', 'x-service-api-key', 'x-service-auth-token']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const body = Buffer.concat(chunks);
    const answer = await fetch(`${target}${request.url}`, { method: request.method!, headers, body });
    const text = await answer.text();
    if (request.method === 'PUT' && ++uploads === 1) request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, uploads: () => uploads };
}

test('an upload whose answer is lost is sent again, and counts as done', async () => {
  const { workspace } = await newClient();
  await addDocument(workspace);
  const proxy = await breakingProxy(await serviceUrl());
  const redpen = createClient({ baseUrl: proxy.url, ...credentialsOf(workspace) });
  const { attachmentId } = await redpen.attachments.upload(new Blob(['words'], { type: 'text/plain' }), {
    ...place,
    fileName: 'words.txt',
  });
  expect(proxy.uploads()).toBe(2);
  expect(await redpen.attachments.get({ ...place, attachmentId })).toMatchObject({ status: 'uploaded' });
});

test('knowledge is uploaded, and the client waits until the memory has read it', async () => {
  const { workspace } = await newClient();
  // No worker runs here: the file is read when the client asks for its state.
  let reads = 0;
  const reading: typeof fetch = async (input, init) => {
    if (String(input).endsWith('/ingest-status') && ++reads === 2) {
      const { sourceId } = JSON.parse(String(init?.body)).data;
      await readKnowledge(workspace, sourceId);
    }
    return await fetch(input, init);
  };
  const redpen = createClient({
    baseUrl: await serviceUrl(),
    ...credentialsOf(workspace),
    fetch: reading,
  });
  const rules = new File(['- Must be short.\n- Must be clear.\n'], 'rules.md', { type: 'text/markdown' });
  expect(await redpen.knowledge.upload(rules)).toMatchObject({ status: 'completed', extractedRulesCount: 2 });
  const broken = new Blob(['%PDF-1.7 broken'], { type: 'application/pdf' });
  reads = 0;
  const error = await redpen.knowledge.upload(broken, { fileName: 'x.pdf' }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(RedpenError);
  expect(error).toMatchObject({ status: 'FAILED_PRECONDITION', code: expect.any(String) });
});
