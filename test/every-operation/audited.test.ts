import { describe, expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '../../src/shapes/audit/audit-actions.ts';
import { testApp } from '../service/harness.ts';
import { distinct, type Operation } from './operations.ts';
import { ask, runAndRestore, sharedStage, validBody } from './validate.ts';
import type { World } from './world.ts';

const CONTENT = 'content of documents, which has an author and a history of its own';
const RUNS = 'work of agents, which is listed with who started it';
const MEMORY = 'knowledge and judgments, which are listed with who added them';
const CONTACTS = 'names and groups, which open nothing';
const OWN = 'concerns the caller alone';
const NOTHING = 'changes nothing that lasts';

/** Operations that may change something and leave no entry in the audit log, with the reason. */
const NOT_AUDITED: Record<string, string> = {
  '/v2/account/update': OWN,
  '/v2/activities/add': CONTENT,
  '/v2/activities/delete': CONTENT,
  '/v2/activities/update': CONTENT,
  '/v2/agents/builtin': NOTHING,
  '/v2/agents/config/resolve': NOTHING,
  '/v2/agents/execution/cancel': RUNS,
  '/v2/agents/execution/run': RUNS,
  '/v2/agents/extract': NOTHING,
  '/v2/agents/findings/picture': NOTHING,
  '/v2/agents/prompt/enhance': NOTHING,
  '/v2/agents/prompt/refine': NOTHING,
  '/v2/agents/prompt/validate': NOTHING,
  '/v2/attachments/create': CONTENT,
  '/v2/attachments/delete': CONTENT,
  '/v2/auth/generate_token':
    'user tokens are made with each visit; a reset of the auth token, which revokes them, is recorded',
  '/v1/auth/token/get': 'user tokens are made with each visit',
  '/v2/commentannotations/add': CONTENT,
  '/v2/commentannotations/comments/add': CONTENT,
  '/v2/commentannotations/comments/delete': CONTENT,
  '/v2/commentannotations/comments/update': CONTENT,
  '/v2/commentannotations/delete': CONTENT,
  '/v2/commentannotations/reactions/add': CONTENT,
  '/v2/commentannotations/reactions/delete': CONTENT,
  '/v2/commentannotations/unread/clear': OWN,
  '/v2/crdt/add': CONTENT,
  '/v2/crdt/delete': CONTENT,
  '/v2/crdt/snapshots/create': CONTENT,
  '/v2/crdt/snapshots/delete': CONTENT,
  '/v2/crdt/snapshots/restore': CONTENT,
  '/v2/crdt/update': CONTENT,
  '/v2/livestate/broadcast': CONTENT,
  '/v2/memory/alerts/action': MEMORY,
  '/v2/memory/alerts/dismiss': MEMORY,
  '/v2/memory/ask': NOTHING,
  '/v2/memory/consolidate': MEMORY,
  '/v2/memory/judgments/add': MEMORY,
  '/v2/memory/judgments/backfill': MEMORY,
  '/v2/memory/judgments/delete': MEMORY,
  '/v2/memory/knowledge/delete': MEMORY,
  '/v2/memory/knowledge/ingest': MEMORY,
  '/v2/memory/knowledge/search': NOTHING,
  '/v2/memory/knowledge/update': MEMORY,
  '/v2/memory/knowledge/upload-url': MEMORY,
  '/v2/memory/search': NOTHING,
  '/v2/memory/suggest': NOTHING,
  '/v2/notifications/add': CONTENT,
  '/v2/notifications/config/set': OWN,
  '/v2/notifications/delete': CONTENT,
  '/v2/notifications/update': CONTENT,
  '/v2/oauth/request/deny': 'grants nothing',
  '/v2/oauth/request/get': NOTHING,
  '/v2/organizations/add': 'opens nothing: users are added to it by another operation',
  '/v1/organizations/documents/locations/data/delete': CONTENT,
  '/v1/organizations/documents/locations/update': CONTENT,
  '/v2/organizations/update': CONTACTS,
  '/v2/organizations/usergroups/add': CONTACTS,
  '/v2/presence/add': CONTENT,
  '/v2/presence/delete': CONTENT,
  '/v2/presence/update': CONTENT,
  '/v2/reviews/cancel': RUNS,
  '/v2/reviews/run': RUNS,
  '/v2/reviews/schedules/create': RUNS,
  '/v2/reviews/schedules/delete': RUNS,
  '/v2/reviews/schedules/start': RUNS,
  '/v2/reviews/schedules/update': RUNS,
  '/v2/rewriter/ask-ai': NOTHING,
  '/v2/session/end': OWN,
  '/v2/session/mail': 'sends a code, which opens nothing until it is used',
  '/v2/session/revoke': OWN,
  '/v1/users/update': 'changes names and no roles',
  '/v2/workspace/advancedwebhook/deliveries/replay': 'repeats messages that were sent before',
  '/v2/workspace/advancedwebhook/endpoints/test': 'sends a sample',
};

test('an operation that changes something is audited, or says why not', () => {
  const silent = distinct.filter(({ endpoint }) => endpoint.kind !== 'read' && endpoint.audit === undefined);
  expect(silent.map(({ path }) => path).sort()).toEqual(Object.keys(NOT_AUDITED).sort());
});

test('an operation of more than one transaction records itself', () => {
  const blind = distinct.filter(
    ({ endpoint: { kind, audit } }) => kind === 'call' && audit && !audit.recordsItself,
  );
  expect(blind.map(({ path }) => path)).toEqual([]);
});

/** Requests that change what is recorded, for operations whose shortest valid request leaves it as it is. */
const CHANGES: Record<string, (shared: World['shared']) => object> = {
  '/v2/auth/permissions/remove': ({ user, organization }) => ({
    userId: user,
    permissions: { resources: [{ type: 'organization', id: organization }] },
  }),
  '/v2/organizations/documents/add': ({ organization }) => ({
    organizationId: organization,
    documents: [{ documentId: 'audited', accessType: 'restricted' }],
  }),
  '/v2/organizations/documents/update': ({ organization, document }) => ({
    organizationId: organization,
    documents: [{ documentId: document, accessType: 'restricted' }],
  }),
  '/v2/organizations/folders/add': ({ organization }) => ({
    organizationId: organization,
    folders: [{ folderId: 'audited', accessType: 'restricted' }],
  }),
  '/v2/organizations/folders/update': ({ organization, folder }) => ({
    organizationId: organization,
    folders: [{ folderId: folder, accessType: 'restricted' }],
  }),
  '/v2/users/add': ({ organization }) => ({ organizationId: organization, users: [{ userId: 'newcomer' }] }),
  '/v1/users/add': ({ organization }) => ({ organizationId: organization, users: [{ userId: 'newcomer' }] }),
  '/v2/users/update': ({ organization, user }) => ({
    organizationId: organization,
    users: [{ userId: user, accessRole: 'editor' }],
  }),
};

/** Operations whose shortest valid request decides or grants nothing; other tests look at their entries. */
const ELSEWHERE = ['/v2/commentannotations/update', '/v2/oauth/request/allow'];

const audited = distinct.filter(({ path, endpoint: { audit } }) => audit && !ELSEWHERE.includes(path));

describe.each(audited)('$path', (operation) => {
  test('leaves an entry that names its caller', async () => {
    const stage = await sharedStage();
    const body = CHANGES[operation.path]?.(stage.a.shared) ?? (await validBody(operation, stage));
    const [reply] = await runAndRestore(stage, () => ask(operation, stage.a, body));
    expect(reply.status).toBe(200);
    const entries = await entriesOf(String(reply.headers['x-request-id']));
    expect(entries).not.toEqual([]);
    for (const { action, actorKind, via, targetId } of entries) {
      expect(Object.keys(AUDIT_ACTIONS)).toContain(action);
      expect([via, actorKind]).toEqual([operation.path, actorOf(operation)]);
      expect(targetId).not.toBe('');
    }
  });
});

const actorOf = ({ path, endpoint: { auth } }: Operation): string => {
  if (path === '/v2/session/start') return 'account';
  return (
    { public: 'unknown', workspace: 'workspace', account: 'account', member: 'member' }[auth as string] ??
    'apiKey'
  );
};

async function entriesOf(requestId: string) {
  const { deps } = await testApp();
  return await deps.db.selectFrom('auditLog').selectAll().where('requestId', '=', requestId).execute();
}

test('no entry has a secret in it', async () => {
  const { a } = await sharedStage();
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('auditLog')
    .selectAll()
    .where('workspaceId', '=', a.workspace.workspaceId)
    .execute();
  const text = JSON.stringify(rows);
  expect(rows.length).toBeGreaterThan(20);
  const secrets = [...Object.values(a.secrets).flat(), ...a.hidden, a.workspace.token, a.workspace.authToken];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
