import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../test/service/harness.ts';
import { emit } from '../events/emit.ts';
import type { EventName, EventPayload } from '../events/event-catalog.ts';
import { relayBatch } from '../events/outbox-relay.ts';
import { logComments } from './log-comments.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const ada = { userId: 'ada', name: 'Ada' };
const added = {
  ...place,
  annotationId: 'n1',
  commentAnnotation: { annotationId: 'n1', annotationNumber: 3, type: 'comment', from: ada },
  targetComment: { commentId: 123456, commentText: 'secret words', from: ada },
  actionUser: ada,
  loud: true,
};

async function prepare(config: object = {}): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/workspace/activityconfig/update', {
    activityServiceConfig: { isEnabled: true, ...config },
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  return workspace;
}

/** Emits the event, relays it and returns the log. */
async function logged<Name extends EventName>(
  workspace: TestWorkspace,
  name: Name,
  payload: EventPayload<Name>,
) {
  const { deps } = await testApp();
  await deps.db.transaction().execute((tx) => emit(tx, workspace, name, payload));
  while ((await relayBatch(deps.db, [logComments])) > 0);
  return await workspace.must('/v2/activities/get', { organizationId: 'acme' });
}

test('a comment logs an activity without its text', async () => {
  const workspace = await prepare();
  const activities = await logged(workspace, 'comment.add', added);
  expect(activities).toMatchObject([
    {
      id: expect.stringMatching(/^act_/),
      featureType: 'comment',
      actionType: 'comment.add',
      actionUser: ada,
      targetEntityId: 'n1',
      targetSubEntityId: '123456',
      entityData: { annotationId: 'n1', annotationNumber: 3, type: 'comment' },
      displayMessageTemplate: '{{actionUser}} added a comment',
      immutable: true,
    },
  ]);
  expect(JSON.stringify(activities)).not.toContain('secret words');
});

test('the activity of a status change holds both statuses', async () => {
  const workspace = await prepare();
  const [activity] = await logged(workspace, 'comment_annotation.status_change', {
    ...added,
    oldStatus: { id: 'OPEN' },
    newStatus: { id: 'RESOLVED' },
  });
  expect(activity.changes).toEqual({ status: { from: { id: 'OPEN' }, to: { id: 'RESOLVED' } } });
});

test.each([
  ['the log is off', { isEnabled: false }, {}],
  ['its trigger is off', { triggers: { comment: { 'comment.add': false } } }, {}],
  ['it came before the log began', { enabledTime: 4_000_000_000_000 }, {}],
  ['it is quiet', {}, { loud: false }],
  ['it is loud, but not for the log', {}, { logged: false }],
  ['its document is gone', {}, { documentId: 'gone' }],
])('nothing is logged if %s', async (_, config, payload) => {
  const workspace = await prepare(config);
  expect(await logged(workspace, 'comment.add', { ...added, ...payload })).toEqual([]);
});

test('events without notifications are logged', async () => {
  const workspace = await prepare();
  expect(await logged(workspace, 'comment.add', { ...added, loud: false, logged: true })).toHaveLength(1);
});

test('changes by an API key are logged only if the request asks for it', async () => {
  const workspace = await prepare();
  const { deps } = await testApp();
  const thread = (annotationId: string, flags: object) => ({
    annotationId,
    commentData: [{ commentText: 'x', from: ada, ...flags }],
  });
  await workspace.must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      thread('quiet', {}),
      thread('told', { triggerNotification: true }),
      thread('logged', { triggerActivities: true }),
    ],
  });
  const reply = (flags: object) => ({ commentText: 'y', from: ada, ...flags });
  const answers = await workspace.must('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 'quiet',
    commentData: [reply({}), reply({ triggerNotification: true }), reply({ triggerActivities: true })],
  });
  while ((await relayBatch(deps.db, [logComments])) > 0);
  expect(await workspace.must('/v2/activities/get', { organizationId: 'acme', order: 'asc' })).toMatchObject([
    { actionType: 'comment_annotation.add', targetEntityId: 'logged' },
    { actionType: 'comment.add', targetEntityId: 'quiet', targetSubEntityId: String(answers[2]) },
  ]);
});

test('events of one batch are logged in order, by the config of each API key', async () => {
  const [open, closed, off] = await Promise.all([
    prepare({ immutable: false }),
    prepare(),
    prepare({ isEnabled: false }),
  ]);
  const { deps } = await testApp();
  const targets = Array.from({ length: 40 }, (_, index) => `n${index}`);
  await deps.db.transaction().execute(async (tx) => {
    for (const annotationId of targets) {
      for (const one of [open, closed, off]) await emit(tx, one, 'comment.add', { ...added, annotationId });
    }
  });
  while ((await relayBatch(deps.db, [logComments])) > 0);
  const logs = await Promise.all(
    [open, closed, off].map((one) =>
      one.must('/v2/activities/get', { organizationId: 'acme', order: 'asc' }),
    ),
  );
  const seen = logs.map((log) =>
    log.map((one: { targetEntityId: string; immutable: boolean }) => [one.targetEntityId, one.immutable]),
  );
  expect(seen).toEqual([targets.map((id) => [id, false]), targets.map((id) => [id, true]), []]);
});
