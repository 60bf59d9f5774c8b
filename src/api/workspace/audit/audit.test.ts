import { expect, test } from 'vitest';
import { auditOf, checkAudit } from '../../../../test/people/audit.ts';
import { SAME_ORIGIN } from '../../../../test/people/console-session.ts';
import { addMember } from '../../../../test/people/members.ts';
import { until } from '../../../../test/run/until.ts';
import { newWorkspace, send, testApp } from '../../../../test/service/harness.ts';
import { sha256 } from '../../../lib/crypto.ts';

const place = { organizationId: 'acme', documentId: 'home' };

test('a reset of a token is recorded with who did it, from where, and without the token', async () => {
  const w = await newWorkspace();
  const reply = await w.postAsWorkspace('/v2/workspace/authtoken/reset', { apiKey: w.apiKeyId });
  const [entry] = await auditOf(w, { actions: ['token.reset'] });
  expect(entry).toMatchObject({
    action: 'token.reset',
    actor: { kind: 'workspace', id: w.workspaceId, name: null, assistant: null },
    via: '/v2/workspace/authtoken/reset',
    address: '127.0.0.1',
    requestId: reply.headers['x-request-id'],
    apiKeyId: w.apiKeyId,
    target: { type: 'apiKey', id: w.apiKeyId, organizationId: null, documentId: null },
    isErased: false,
  });
  expect(JSON.stringify(entry)).not.toContain(reply.body.result.data.newAuthToken.token);
});

test('the address is that of the client behind a trusted proxy, and long texts are clipped', async () => {
  const w = await newWorkspace();
  const userAgent = 'x'.repeat(2_000);
  const headers = {
    'x-forwarded-for': '203.0.113.9',
    'user-agent': userAgent,
    'x-redpen-assistant': 'Claude Code',
  };
  await w.post('/v2/agents/groups/create', { name: 'A' }, headers);
  const [entry] = await auditOf(w, { actions: ['agent_group.created'] });
  expect(entry).toMatchObject({ address: '203.0.113.9', userAgent: 'x'.repeat(300) });
  expect(entry.actor).toMatchObject({ kind: 'apiKey', id: w.apiKeyId, assistant: 'Claude Code' });
});

test('an act that fails leaves no entry, and a repeated request none of its own', async () => {
  const w = await newWorkspace();
  await w.postAsWorkspace('/v2/workspace/authtoken/reset', { apiKey: 'unknown' });
  const headers = { 'idempotency-key': 'once' };
  for (const _ of [1, 2]) await w.post('/v2/agents/groups/create', { name: 'A' }, headers);
  expect((await auditOf(w)).map(({ action }) => action)).toEqual([
    'agent_group.created',
    'workspace.created',
  ]);
});

test('a change of which a part fails is recorded as far as it was made', async () => {
  const w = await newWorkspace();
  await w.must('/v2/workspace/domains/add', { domains: ['a.example'] });
  const { status } = await w.post('/v2/workspace/domains/add', { domains: ['a.example', 'b.example'] });
  expect(status).toBe(409);
  expect((await auditOf(w, { actions: ['domain.added'] })).map(({ after }) => after.domainsAdded)).toEqual([
    ['b.example'],
    ['a.example'],
  ]);
});

test('a member is named, with the role before and after, and secrets are redacted', async () => {
  const w = await newWorkspace();
  const owner = await addMember(w, 'owner', 'Olga');
  const eve = await addMember(w, 'viewer', 'Eve');
  await owner.session.postAsWorkspace('/v2/members/update', { memberId: eve.memberId, role: 'editor' });
  expect((await auditOf(w, { targetId: eve.memberId }))[0]).toMatchObject({
    action: 'member.role_changed',
    actor: { kind: 'member', id: owner.memberId, name: 'Olga' },
    before: { role: 'viewer' },
    after: { role: 'editor' },
  });
  await w.must('/v2/workspace/webhookconfig/update', {
    useWebhookService: true,
    webhookServiceConfig: {
      authToken: 's3cret-token',
      rawNotificationUrl: 'https://example.com/a?key=s3cret',
    },
  });
  const [entry] = await auditOf(w, { actions: ['webhook.config_changed'] });
  expect(entry.after.webhookServiceConfig).toEqual({
    authToken: '__redacted__',
    rawNotificationUrl: 'https://example.com/a',
  });
});

test('a grant is recorded when it changes something, with what was before', async () => {
  const w = await newWorkspace();
  const add = (accessRole?: string) =>
    w.must('/v2/users/add', {
      organizationId: 'acme',
      users: [{ userId: 'eve', ...(accessRole && { accessRole }) }],
    });
  for (const role of ['viewer', undefined, 'viewer', 'editor']) await add(role);
  await w.must('/v2/users/delete', { organizationId: 'acme', userIds: ['eve', 'nobody'] });
  const entries = await auditOf(w, { targetId: 'eve' });
  expect(entries.map(({ action, before, after }) => [action, before?.accessRole, after?.accessRole])).toEqual(
    [
      ['access.revoked', 'editor', undefined],
      ['access.granted', 'viewer', 'editor'],
      ['access.granted', undefined, 'viewer'],
    ],
  );
  expect(await auditOf(w, { targetId: 'nobody' })).toEqual([]);
});

test('decisions on suggestions are recorded once, whether they share a statement or not', async () => {
  const w = await newWorkspace();
  await w.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  const ids = ['s1', 's2', 's3', 's4'];
  await w.must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: ids.map((annotationId) => ({
      annotationId,
      type: 'suggestion',
      suggestion: { newValue: 'b' },
      commentData: [{ commentText: 'Better', from: { userId: 'bob' } }],
    })),
  });
  const decide = (annotationIds: string[], change: object) =>
    w.must('/v2/commentannotations/update', { ...place, annotationIds, updatedData: change });
  const accept = { suggestion: { status: 'accepted' } };
  await Promise.all([decide(['s1'], accept), decide(['s2'], accept), decide(['s3', 's4'], accept)]);
  await decide(['s1'], { priority: { id: 'P1', name: 'High' } });
  const entries = await auditOf(w, { actions: ['suggestion.decided'] });
  expect(entries.map(({ target }) => target.id).sort()).toEqual(ids);
  expect(entries[0].target).toMatchObject({ type: 'annotation', ...place });
});

test('sign-ins are recorded, and those that fail where they were tried', async () => {
  const w = await newWorkspace();
  const start = (workspaceAuthToken: string) =>
    send('/v2/session/start', { data: { workspaceId: w.workspaceId, workspaceAuthToken } }, SAME_ORIGIN);
  expect((await start('wrong')).status).toBe(401);
  await until(async () => (await auditOf(w, { actions: ['session.failed'] })).length === 1);
  const { accountId } = (await start(w.authToken)).body.result.data.account;
  const [success, failure] = await auditOf(w, { actions: ['session.started', 'session.failed'] });
  expect(success).toMatchObject({
    actor: { kind: 'account', id: accountId },
    target: { type: 'account', id: accountId },
  });
  expect(failure).toMatchObject({
    actor: { kind: 'unknown' },
    target: { type: 'workspace', id: w.workspaceId },
  });
});

test('the log is read in pages by time', async () => {
  const w = await newWorkspace();
  for (const name of ['A', 'B', 'C']) await w.must('/v2/agents/groups/create', { name });
  const page = async (pageToken?: string) =>
    (await w.postAsWorkspace('/v2/workspace/audit/get', { pageSize: 3, ...(pageToken && { pageToken }) }))
      .body.result;
  const first = await page();
  const second = await page(first.nextPageToken);
  expect(
    [...first.data.entries, ...second.data.entries].map(({ after }) => after.name).filter(Boolean),
  ).toHaveLength(4);
  expect(second.nextPageToken).toBeUndefined();
  const between = { from: first.data.entries[1].at, to: first.data.entries[0].at };
  for (const { at } of await auditOf(w, between))
    expect([at >= between.from, at < between.to]).toEqual([true, true]);
});

test('an export is whole over its pages, records itself, and lets others recompute each hash', async () => {
  const w = await newWorkspace();
  for (const name of ['A', '=cmd|x']) await w.must('/v2/agents/groups/create', { name });
  await checkAudit(w);
  const exported = async (format: string) => {
    let text = '';
    for (let pageToken: string | undefined, more = true; more; more = pageToken !== undefined) {
      const data = { format, pageSize: 2, ...(pageToken && { pageToken }) };
      const { result } = (await w.postAsWorkspace('/v2/workspace/audit/export', data)).body;
      text += result.data.text;
      pageToken = result.nextPageToken;
    }
    return text;
  };
  const entries = (await exported('ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.slice(0, 3).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  for (const entry of entries.filter(({ hash }) => hash !== null)) {
    const { target } = entry;
    const hashed = [
      'redpen audit 1',
      w.workspaceId,
      entry.seq,
      entry.entryId,
      entry.at,
      entry.apiKeyId,
      entry.action,
      entry.actor.kind,
      entry.via,
      entry.requestId,
      target.type,
      target.organizationId,
      target.documentId,
      entry.actorDigest,
      entry.targetDigest,
      entry.previousHash,
    ];
    expect(sha256(JSON.stringify(hashed))).toBe(entry.hash);
  }
  const csv = await exported('csv');
  expect(csv.match(/^.?seq,time,action/gm)).toHaveLength(1);
  expect(csv).not.toMatch(/(^|,)"?=cmd/m);
  const exports = await auditOf(w, { actions: ['audit.exported'] });
  expect(exports.map(({ after }) => after.format)).toEqual(['csv', 'ndjson']);
});

test('a report that is downloaded or opened by a link is recorded', async () => {
  const { app } = await testApp();
  const w = await newWorkspace();
  const { reviewId } = await w.must('/v2/reviews/run', {
    urls: ['https://example.com/'],
    agents: ['spell-check'],
  });
  const { url } = await w.must('/v2/reviews/share', { reviewId });
  const { pathname, search } = new URL(url);
  await app.inject({ url: `/v2/reviews/${reviewId}/report?format=csv`, headers: w.keyHeaders });
  await app.inject({ url: `${pathname}${search}` });
  await app.inject({ url: `${pathname}?expires=1&signature=x` });
  const entries = await auditOf(w, { targetId: reviewId });
  expect(entries.map(({ action, actor, after }) => [action, actor.kind, after?.format])).toEqual([
    ['report.exported', 'link', undefined],
    ['report.exported', 'apiKey', 'csv'],
    ['report.shared', 'apiKey', undefined],
  ]);
});
