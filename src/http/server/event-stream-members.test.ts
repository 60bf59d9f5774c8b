import { expect, test } from 'vitest';
import { newEventStage, organizationId } from '../../../test/live/event-stage.ts';
import { SAME_ORIGIN, signIn } from '../../../test/people/console-session.ts';
import { addMember } from '../../../test/people/members.ts';
import { send } from '../../../test/service/harness.ts';

const SOON = { timeout: 300_000, interval: 20 };

test('a session of the console and a personal token open the stream of their API key', async () => {
  const stage = await newEventStage();
  const { session } = await addMember(stage.workspace, 'viewer');
  const { body } = await session.post('/v2/tokens/create', { name: 'T', scopes: ['read'] });
  const console = await stage.open(
    { ...SAME_ORIGIN, cookie: session.cookie },
    { organizationId, key: stage.workspace.apiKeyId },
  );
  const program = await stage.open({ authorization: `Bearer ${body.result.data.token}` });
  expect([console.status, program.status]).toEqual([200, 200]);
  await stage.workspace.must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'new' }],
  });
  for (const client of [console, program]) {
    const events = await stage.receivedBy(client);
    expect(events.map(({ data }) => data.documentId)).toContain('new');
  }
});

test('a page of another origin opens no stream with a session', async () => {
  const stage = await newEventStage();
  const { cookie } = await signIn(stage.workspace);
  const query = { organizationId, key: stage.workspace.apiKeyId };
  const refused = await stage.open({ cookie, 'sec-fetch-site': 'cross-site' }, query);
  expect(refused.status).toBe(403);
});

test('the stream of a member ends once the session is over or the member is removed', async () => {
  const stage = await newEventStage();
  const [first, second] = [
    await addMember(stage.workspace, 'viewer'),
    await addMember(stage.workspace, 'editor'),
  ];
  const query = { organizationId, key: stage.workspace.apiKeyId };
  const streams = [];
  for (const { session } of [first, second]) {
    streams.push(await stage.open({ ...SAME_ORIGIN, cookie: session.cookie }, query));
  }
  await send('/v2/session/end', {}, first.session.headers);
  await stage.workspace.postAsWorkspace('/v2/members/remove', { memberId: second.memberId });
  for (const stream of streams) {
    await expect
      .poll(() => stream.events.find(({ event }) => event === 'end')?.data.reason, SOON)
      .toBe('token');
  }
});

test('the stream of a user token ends once the member who made it loses the role for it', async () => {
  const stage = await newEventStage();
  const { memberId, session } = await addMember(stage.workspace, 'editor');
  const { body } = await session.post('/v2/auth/generate_token', {
    userId: session.data.account.accountId,
    userProperties: { name: 'Ada', email: 'ada@example.com' },
    permissions: { resources: [{ type: 'organization', id: organizationId }] },
  });
  const stream = await stage.open({ authorization: `Bearer ${body.result.data.token}` });
  expect(stream.status).toBe(200);
  await stage.workspace.postAsWorkspace('/v2/members/update', { memberId, role: 'viewer' });
  await expect
    .poll(() => stream.events.find(({ event }) => event === 'end')?.data.reason, SOON)
    .toBe('token');
});
