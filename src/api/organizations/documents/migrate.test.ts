import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { newAgent } from '../../../../test/reviews/executions.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { runExecution } from '../../../review/run/run-execution.ts';
import { runMigration } from '../../../store/documents/document-migrations.ts';

const MIGRATE = '/v2/organizations/documents/migrate';
const never = new AbortController().signal;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A site that serves what the callback returns, when it returns. */
async function serve(page: (path: string) => Promise<string | undefined>): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await page(request.url ?? '/');
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function withDocuments(...documentIds: string[]): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    documents: documentIds.map((documentId) => ({ documentId })),
  });
  return workspace;
}

const migrate = (workspace: TestWorkspace, documentId: string, newDocumentId: string) =>
  workspace.post(MIGRATE, { organizationId: 'o', documentId, newDocumentId });

const work = async ({ workspaceId, apiKeyId }: TestWorkspace, migrationId: string) => {
  const { deps } = await testApp();
  await runMigration(deps.db, { workspaceId, apiKeyId, organizationId: 'o', migrationId }, never);
};

test('a migration is started, and its status can be read', async () => {
  const workspace = await withDocuments('a');
  const { body } = await migrate(workspace, 'a', 'b');
  expect(body.result.data).toEqual({ migrationId: expect.stringMatching(/^mig_/) });
  const { migrationId } = body.result.data;
  const request = { organizationId: 'o', migrationId };
  expect((await workspace.post(`${MIGRATE}/status`, request)).body.result).toEqual({
    status: 'success',
    message: 'Migration status retrieved successfully.',
    data: { migrationId, status: 'pending' },
  });
  for (const reply of [
    await workspace.post(`${MIGRATE}/status`, { ...request, organizationId: 'p' }),
    await workspace.post(`${MIGRATE}/status`, { ...request, migrationId: 'none' }),
  ]) {
    expect(reply.body.error).toEqual({ status: 'NOT_FOUND', message: 'Migration does not exist' });
  }
});

test('a missing document does not migrate, nor one to itself', async () => {
  const workspace = await withDocuments('a');
  expect((await migrate(workspace, 'none', 'b')).body.error).toEqual({
    status: 'NOT_FOUND',
    message: 'Document does not exist',
  });
  expect((await migrate(workspace, 'a', 'a')).body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'newDocumentId must not be the documentId.',
  });
});

test('only one migration at a time can involve a document', async () => {
  const workspace = await withDocuments('a', 'b', 'c', 'd');
  const replies = await Promise.all([
    migrate(workspace, 'a', 'b'),
    migrate(workspace, 'b', 'x'),
    migrate(workspace, 'b', 'a'),
    migrate(workspace, 'a', 'b'),
  ]);
  const started = replies.filter((reply) => reply.status === 200);
  expect(started).toHaveLength(1);
  const { migrationId } = started[0]!.body.result.data;
  for (const { body } of replies.filter((reply) => reply.status !== 200)) {
    expect(body.error).toEqual({
      status: 'FAILED_PRECONDITION',
      message: `The migration ${migrationId} of one of these is under way.`,
    });
  }
  expect((await migrate(workspace, 'c', 'd')).status).toBe(200);
  await work(workspace, migrationId);
  const left = await workspace.must('/v2/organizations/documents/get', { organizationId: 'o' });
  const [from, to] = left.some((document: { id: string }) => document.id === 'b') ? ['b', 'e'] : ['a', 'e'];
  expect((await migrate(workspace, from, to)).status).toBe(200);
});

test('a running run writes its findings to the migrated document', async () => {
  const workspace = await withDocuments('a');
  const { deps } = await testApp();
  // The document moves while the run loads its page.
  let moved: Promise<void> | undefined;
  const url = await serve(async (path) => {
    if (path !== '/') return undefined;
    moved ??= migrate(workspace, 'a', 'b').then(({ body }) => work(workspace, body.result.data.migrationId));
    await moved;
    return '<a href="/gone">gone</a>';
  });
  const agentId = await newAgent(workspace);
  const { executionId } = await workspace.must('/v2/agents/execution/run', {
    agentId,
    url,
    organizationId: 'o',
    documentId: 'a',
  });
  const { workspaceId, apiKeyId } = workspace;
  await runExecution({ workspaceId, apiKeyId, executionId }, deps, never);
  const { execution } = await workspace.must('/v2/agents/execution/get', { executionId });
  expect(execution).toMatchObject({ status: 'failed', metadata: { organizationId: 'o', documentId: 'b' } });
  const found = await workspace.must('/v2/commentannotations/get', { organizationId: 'o', documentId: 'b' });
  expect(found).toMatchObject([{ metadata: { documentId: 'b' }, annotationNumber: 1 }]);
  const events = await deps.db
    .selectFrom('events')
    .select(['name', 'payload'])
    .where('apiKeyId', '=', apiKeyId)
    .where('name', 'in', ['agent_execution.completed', 'comment_annotation.add'])
    .execute();
  expect(events.map(({ name, payload }) => [name, payload.documentId]).sort()).toEqual([
    ['agent_execution.completed', 'b'],
    ['comment_annotation.add', 'b'],
  ]);
});

test('writes during a migration move with the document, or fail because it is gone', async () => {
  const workspace = await withDocuments('a');
  const { migrationId } = (await migrate(workspace, 'a', 'b')).body.result.data;
  const write = (annotationId: string) =>
    workspace.post('/v2/commentannotations/add', {
      organizationId: 'o',
      documentId: 'a',
      commentAnnotations: [{ annotationId, commentData: [{ commentText: 'x', from: { userId: 'ada' } }] }],
    });
  const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
  // Three concurrent writers, so that some writes come before, during and after the move.
  const replies: Awaited<ReturnType<typeof write>>[] = [];
  const writeEvery = async (from: number, isFirstDone = () => {}) => {
    for (let index = from; index < ids.length; index += 3) {
      replies[index] = await write(ids[index]!);
      isFirstDone();
    }
  };
  const hasWritten = Promise.withResolvers<void>();
  await Promise.all([
    writeEvery(0, hasWritten.resolve),
    writeEvery(1),
    writeEvery(2),
    hasWritten.promise.then(() => work(workspace, migrationId)),
  ]);
  const written = ids.filter((_, index) => replies[index]!.status === 200);
  for (const { body } of replies.filter((reply) => reply.status !== 200)) {
    expect(body.error).toEqual({ status: 'NOT_FOUND', message: 'Document does not exist' });
  }
  const found = await workspace.must('/v2/commentannotations/get', { organizationId: 'o', documentId: 'b' });
  expect(found.map((row: { annotationId: string }) => row.annotationId).sort()).toEqual(written.sort());
  expect(new Set(found.map((row: { annotationNumber: number }) => row.annotationNumber)).size).toBe(
    found.length,
  );
  expect((await write('late')).status).toBe(404);
});
