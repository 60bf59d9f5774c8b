import { expect, test } from 'vitest';
import {
  addNotes,
  ann,
  bob,
  DELETE,
  eventPayloads,
  GET,
  note,
  PLACE,
  UPDATE,
} from '../../../test/documents/annotations.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';

const deleted = (id: string) => ({ success: true, id, message: 'Deleted Successfully' });
const missing = (id: string) => ({
  success: false,
  id,
  message: 'Annotation not found.',
  code: 'not-found',
});
const by = (from: object) => ({ commentData: [{ commentText: 'x', from }] });
const foundBy = (agentId: string, url: string, more: object = {}) => {
  const reason = { title: 'Typo', description: 'teh', severity: 'low' };
  const agent = { agentSource: 'external', agentId, agentName: agentId, url, reason };
  return {
    commentData: [{ commentText: 'x', from: { userId: agentId }, agent }],
    type: 'suggestion',
    ...more,
  };
};
const withNotes = async (...notes: object[]) => {
  const workspace = await newWorkspace();
  await addNotes(workspace, notes);
  return workspace;
};
const idsOf = async (workspace: TestWorkspace, place: object = PLACE) => {
  const rows: { annotationId: string }[] = await workspace.must(GET, place);
  return rows.map((row) => row.annotationId).sort();
};
const remove = (workspace: TestWorkspace, data: object) => workspace.must(DELETE, { ...PLACE, ...data });

test('annotations are deleted with their comments, and missing ones reported', async () => {
  const workspace = await withNotes(note('a1'), note('a2'));
  expect(
    await workspace.must(DELETE, {
      ...PLACE,
      annotationIds: ['a1', 'none', 'a1'],
    }),
  ).toEqual({ a1: deleted('a1'), none: missing('none') });
  expect(await idsOf(workspace)).toEqual(['a2']);
  const { deps } = await testApp();
  for (const table of ['comments', 'annotationViews'] as const) {
    const rows = await deps.db
      .selectFrom(table)
      .select('annotationId')
      .where('apiKeyId', '=', workspace.apiKeyId)
      .execute();
    expect(rows).toEqual([{ annotationId: 'a2' }]);
  }
  expect(await eventPayloads(workspace, 'comment_annotation.delete')).toMatchObject([
    { ...PLACE, annotationId: 'a1', commentAnnotation: { annotationNumber: 1, from: ann }, loud: false },
  ]);
});

test('filters are combined, and an empty filter deletes nothing', async () => {
  const workspace = await withNotes(
    note('a1', { ...by(ann), location: { id: 'top' } }),
    note('a2', { ...by(bob), location: { id: 'top' } }),
    note('a3', by(bob)),
    note('a4', { ...by(bob), location: { id: 'end' } }),
  );
  for (const nothing of [
    { annotationIds: [] },
    { locationIds: [] },
    { userIds: [] },
    { userIds: ['eve'] },
    { agentId: 'spell' },
    { agentSuggestions: true },
    { agentUrls: ['https://acme.com/'] },
    { userIds: ['bob'], locationIds: [] },
  ]) {
    expect(await remove(workspace, nothing)).toEqual({});
  }
  expect(await remove(workspace, { annotationIds: ['a1'], userIds: ['bob'] })).toEqual({ a1: missing('a1') });
  expect(await idsOf(workspace)).toHaveLength(4);
  expect(await remove(workspace, { userIds: ['bob'], locationIds: ['top'] })).toEqual({ a2: deleted('a2') });
  expect(await remove(workspace, { locationIds: ['end'], annotationIds: ['a1', 'a4'] })).toEqual({
    a1: missing('a1'),
    a4: deleted('a4'),
  });
  expect(await remove(workspace, { userIds: ['bob'] })).toEqual({ a3: deleted('a3') });
  expect(await idsOf(workspace)).toEqual(['a1']);
});

test('annotations of agents can be deleted by agent, by page and as suggestions', async () => {
  const workspace = await withNotes(
    note('s1', foundBy('hawk', 'https://acme.com/prices#top')),
    note('s2', foundBy('hawk', 'https://acme.com/prices', { type: 'comment' })),
    note('s3', foundBy('hawk', 'https://acme.com/')),
    note('s4', foundBy('owl', 'https://acme.com/prices')),
    note('human'),
  );
  expect(
    await remove(workspace, {
      agentId: 'hawk',
      agentSuggestions: true,
      agentUrls: ['https://acme.com/prices#end'],
    }),
  ).toEqual({ s1: deleted('s1') });
  expect(
    await remove(workspace, { agentUrls: ['https://acme.com/prices', 'https://acme.com/none'] }),
  ).toEqual({
    s2: deleted('s2'),
    s4: deleted('s4'),
  });
  expect(await remove(workspace, { agentSuggestions: true })).toEqual({ s3: deleted('s3') });
  expect(await idsOf(workspace)).toEqual(['human']);
});

test('locations are found by the id of the caller and by the id in records', async () => {
  const workspace = await withNotes(
    note('a1', { location: { id: 'top' } }),
    note('a2', { location: { id: '7' } }),
  );
  const [{ locationId }] = await workspace.must(GET, { ...PLACE, locationIds: ['top'] });
  expect(await remove(workspace, { locationIds: [locationId] })).toEqual({ a1: deleted('a1') });
  expect(await remove(workspace, { locationIds: [7] })).toEqual({ a2: deleted('a2') });
});

test('without a filter, all annotations of the document are deleted, and no others', async () => {
  const workspace = await withNotes(...Array.from({ length: 1_000 }, (_, index) => note(`n${index}`)));
  await addNotes(workspace, [note('last')]);
  const elsewhere = { ...PLACE, documentId: 'other' };
  await addNotes(workspace, [note('n1')], elsewhere);
  const items = await remove(workspace, {});
  expect(Object.keys(items)).toHaveLength(1_001);
  expect(await idsOf(workspace)).toEqual([]);
  expect(await idsOf(workspace, elsewhere)).toEqual(['n1']);
  expect(await remove(workspace, {})).toEqual({});
  expect(await remove(workspace, { documentId: 'none', annotationIds: ['n1'] })).toEqual({
    n1: missing('n1'),
  });
});

test('the default organization can be omitted', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note('a1')], { organizationId: 'default', documentId: 'home' });
  await addNotes(workspace, [note('a1')]);
  expect(await workspace.must(DELETE, { documentId: 'home', annotationIds: ['a1'] })).toEqual({
    a1: deleted('a1'),
  });
  expect(await idsOf(workspace)).toEqual(['a1']);
});

test('concurrent deletions and changes leave no annotation', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => `n${index}`);
  const workspace = await withNotes(...ids.map((id) => note(id)));
  const answers = await Promise.all([
    remove(workspace, { annotationIds: ids }),
    workspace.must(UPDATE, { ...PLACE, annotationIds: ids.toReversed(), updatedData: { mark: 1 } }),
    remove(workspace, { annotationIds: ids.toReversed() }),
  ]);
  expect(await idsOf(workspace)).toEqual([]);
  for (const id of ids) {
    expect([answers[0][id].success, answers[2][id].success].filter(Boolean)).toHaveLength(1);
  }
});

test('a filter by something else than pages is refused and deletes nothing', async () => {
  const workspace = await withNotes(note('a1'));
  const agentUrls = ['https://acme.com/', ' ', '#top'];
  const { body } = await workspace.post(DELETE, { ...PLACE, agentUrls });
  expect(body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'agentUrls[1] must be the URL of a page.\nagentUrls[2] must be the URL of a page.',
  });
  expect(await idsOf(workspace)).toEqual(['a1']);
});
