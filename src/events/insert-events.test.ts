import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../test/service/harness.ts';

test('an event that only webhooks deliver is written only if there is an endpoint', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const place = { organizationId: 'acme', documentId: 'home' };
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  const comment = { commentText: 'Shorter, please.', from: { userId: 'ada' } };
  const annotation = { annotationId: 'thread', commentData: [comment] };
  await workspace.must('/v2/commentannotations/add', { ...place, commentAnnotations: [annotation] });
  const reply = () =>
    workspace.must('/v2/commentannotations/comments/add', {
      ...place,
      annotationId: 'thread',
      commentData: [comment],
    });
  const written = async () => {
    const rows = await deps.db
      .selectFrom('events')
      .select('name')
      .where('apiKeyId', '=', workspace.apiKeyId)
      .where('name', 'in', ['comment.add', 'memory.judgment_add'])
      .orderBy('seq')
      .execute();
    return rows.map(({ name }) => name);
  };
  await reply();
  expect(await written()).toEqual(['comment.add']);
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  await workspace.must('/v2/workspace/advancedwebhook/endpoints/create', { url: 'https://example.com/hook' });
  await reply();
  expect((await written()).toSorted()).toEqual(['comment.add', 'comment.add', 'memory.judgment_add']);
});
