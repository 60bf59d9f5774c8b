import { expect, test } from 'vitest';
import { newUserToken } from '../../test/people/user-token.ts';
import { newWorkspace, testApp } from '../../test/service/harness.ts';
import { relayBatch } from '../events/outbox-relay.ts';
import { notifyOfComments } from './notify-of-comments.ts';

const place = { organizationId: 'acme', documentId: 'home' };

test('a user that other users name keeps the name of the backend, and gets no address from them', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  await workspace.must('/v2/users/add', {
    organizationId: 'acme',
    users: [{ userId: 'kim', name: 'Kim', email: 'kim@example.com' }, { userId: 'lee' }],
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  const user = await newUserToken(workspace, {});
  const spoofed = (userId: string) => ({ userId, name: 'Boss', email: 'thief@example.org' });
  const taggedUserContacts = ['kim', 'lee', 'new'].map((userId) => ({
    userId,
    text: '@x',
    contact: spoofed(userId),
  }));
  const of = { ...place, annotationId: 'n1' };
  const replies = [
    await user.post('/v2/commentannotations/add', {
      ...place,
      commentAnnotations: [
        {
          annotationId: 'n1',
          assignedTo: spoofed('lee'),
          commentData: [{ commentId: 1, taggedUserContacts }],
        },
      ],
    }),
    await user.post('/v2/commentannotations/comments/add', { ...of, commentData: [{ taggedUserContacts }] }),
    await user.post('/v2/commentannotations/comments/update', {
      ...of,
      commentIds: [1],
      updatedData: { commentText: '{{new}}', taggedUserContacts },
    }),
    await user.post('/v2/commentannotations/update', {
      ...place,
      annotationIds: ['n1'],
      updatedData: { assignedTo: spoofed('new') },
    }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  while ((await relayBatch(deps.db, [notifyOfComments])) > 0);
  const [record] = await workspace.must('/v2/commentannotations/get', { ...place, annotationIds: ['n1'] });
  expect(record.comments[0].to).toEqual([
    { userId: 'kim', name: 'Kim', email: 'kim@example.com' },
    { userId: 'lee' },
    { userId: 'new' },
  ]);
  const kept = await deps.db
    .selectFrom('users')
    .selectAll()
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(JSON.stringify([record, kept])).not.toMatch(/Boss|thief/);
});
