import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';
import { files } from '../../api/files.ts';
import { endpoints } from '../../api/index.ts';
import { createServer } from './server.ts';

/** A server whose log the test can read. */
async function listening() {
  const { deps, authenticator } = await testApp();
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  const app = await createServer({
    deps: { ...deps, log },
    endpoints,
    files,
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const post = async (path: string, data: object, headers: Record<string, string>) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ data }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { app, lines, post };
}

test('the rule that refuses a user is logged, and not in the answer', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'plans', accessType: 'restricted' }],
  });
  const user = await newUserToken(workspace, { resources: [{ type: 'organization', id: 'acme' }] });
  const { app, lines, post } = await listening();
  try {
    const request = { organizationId: 'acme', documentId: 'plans' };
    const reply = await post('/v2/commentannotations/get', request, user.headers);
    expect(reply.status).toBe(403);
    expect(reply.text).not.toMatch(/restricted|grant/);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'access is refused',
        status: 403,
        path: '/v2/commentannotations/get',
        apiKeyId: workspace.apiKeyId,
        userId: 'ada',
        because:
          'The document plans is restricted, which a grant on its organization does not open: the token grants editor on the organization acme.',
      }),
    );
    expect(JSON.stringify(lines)).not.toContain(user.token.split('.')[2]);
  } finally {
    await app.close();
  }
});

test('a token of maximum length fits into the headers of a request', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  const resources = Array.from({ length: 300 }, (_, index) => ({
    type: 'document',
    id: `a document with a rather long id, number ${index}`,
    organizationId: 'acme',
  }));
  const user = await newUserToken(workspace, { resources });
  expect(user.token.length).toBeGreaterThan(30_000);
  const { app, post } = await listening();
  try {
    const request = { organizationId: 'acme', userIds: ['ada'] };
    expect((await post('/v2/auth/permissions/get', request, user.headers)).status).toBe(200);
  } finally {
    await app.close();
  }
});

test.each([
  ['/v2/agents/get', 'an API key in the headers x-service-api-key and x-service-auth-token'],
  [
    '/v2/workspace/get',
    'a workspace in the headers x-service-workspace-id and x-service-workspace-auth-token',
  ],
])(
  'a user token at %s is refused with the credentials that the operation takes',
  async (path, credentials) => {
    const user = await newUserToken(await newWorkspace(), {});
    expect(await send(path, { data: {} }, user.headers)).toMatchObject({
      status: 403,
      body: {
        error: {
          status: 'PERMISSION_DENIED',
          message: `A user token does not open this operation. This operation takes the credentials of ${credentials}.`,
        },
      },
    });
    const wrong = await send(path, { data: {} }, { authorization: `${user.headers.authorization}x` });
    expect(wrong.body.error).toMatchObject({
      status: 'UNAUTHENTICATED',
      message: expect.stringMatching(
        /^Invalid or missing credentials\. The headers x-service-.* are missing\.$/,
      ),
    });
  },
);
