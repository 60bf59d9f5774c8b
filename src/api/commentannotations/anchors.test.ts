import { beforeAll, expect, test } from 'vitest';
import { addNotes, ann, GET, note, PLACE } from '../../../test/documents/annotations.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';

let workspace: TestWorkspace;
const anchors = (data: object = {}) =>
  workspace.must(GET, { ...PLACE, order: 'asc', fields: 'anchors', ...data });

beforeAll(async () => {
  workspace = await newWorkspace();
  await addNotes(workspace, [
    note('person', {
      createdAt: 1_000,
      lastUpdated: 1_000,
      location: { id: 'prices', locationName: 'Prices', more: 'x' },
      targetElement: { targetText: 'per month', occurrence: 1 },
      pageInfo: { url: 'https://example.com/prices', title: 'Prices' },
      positionX: 0.25,
      positionY: 1_200,
      screenWidth: 1_280,
      commentData: [
        { commentText: 'Per year?', from: ann },
        { commentText: 'x'.repeat(5_000), from: ann },
      ],
    }),
    {
      annotationId: 'agent',
      type: 'suggestion',
      isPageAnnotation: true,
      status: { id: 'LATER', name: 'Later', type: 'ongoing', color: '#000', lightColor: '#fff' },
      commentData: [
        {
          commentText: 'Old',
          from: ann,
          agent: {
            agentSource: 'external',
            agentName: 'Checker',
            url: 'https://example.com/#top',
            reason: { title: 'Old', description: 'x', severity: 'high' },
          },
        },
      ],
    },
    note('odd', { positionX: null, elementWidth: 'wide', isPageAnnotation: false }),
  ]);
});

test('anchors say where annotations are and how they stand, without their comments', async () => {
  const found = await anchors();
  expect(found).toEqual([
    {
      annotationId: 'person',
      annotationNumber: 1,
      type: 'comment',
      status: { id: 'OPEN', type: 'default' },
      commentCount: 2,
      place: {
        pageUrl: 'https://example.com/prices',
        location: { id: 'prices', locationName: 'Prices' },
        targetElement: { targetText: 'per month', occurrence: 1 },
        positionX: 0.25,
        positionY: 1_200,
        screenWidth: 1_280,
      },
    },
    {
      annotationId: 'agent',
      annotationNumber: 2,
      type: 'suggestion',
      status: { id: 'LATER', type: 'ongoing' },
      severity: 'high',
      suggestionStatus: 'pending',
      commentCount: 1,
      place: { pageUrl: 'https://example.com/', isPageAnnotation: true },
    },
    {
      annotationId: 'odd',
      annotationNumber: 3,
      type: 'comment',
      status: { id: 'OPEN', type: 'default' },
      commentCount: 1,
      place: {},
    },
  ]);
  expect(JSON.stringify(found[1]).length).toBeLessThanOrEqual(300);
});

test('anchors take the filters, order, ids, pages and groups of full records', async () => {
  const ids = (rows: ({ annotationId: string } | null)[]) => rows.map((row) => row?.annotationId);
  expect(ids(await anchors({ severity: 'high' }))).toEqual(['agent']);
  expect(ids(await anchors({ annotationIds: ['odd', 'none', 'person'] }))).toEqual([
    'odd',
    undefined,
    'person',
  ]);
  const across = await workspace.must(GET, { organizationId: PLACE.organizationId, fields: 'anchors' });
  expect(across.map((row: { documentId: string }) => row.documentId)).toEqual(Array(3).fill('home'));
  const grouped = await anchors({ groupByDocumentId: true });
  expect(ids(grouped[PLACE.documentId])).toEqual(['person', 'agent', 'odd']);
  const first = (await workspace.post(GET, { ...PLACE, order: 'asc', fields: 'anchors', pageSize: 2 })).body;
  const pageToken = first.result.nextPageToken;
  expect(ids(await anchors({ pageToken, pageSize: 2 }))).toEqual(['odd']);
});

test('without the field, and with `all`, records are full', async () => {
  const full = await workspace.must(GET, { ...PLACE, fields: 'all' });
  expect(full).toEqual(await workspace.must(GET, PLACE));
  expect(full[2].comments).toHaveLength(2);
});

test('for users, anchors say whether they are unread', async () => {
  const resources = [{ type: 'document', id: PLACE.documentId, organizationId: PLACE.organizationId }];
  const user = await newUserToken(workspace, { userId: 'bob', resources });
  const { body } = await user.post(GET, { ...PLACE, fields: 'anchors' });
  expect(body.result.data.map((row: { isUnread: boolean }) => row.isUnread)).toEqual([true, true, true]);
});

test('a list of more than a hundred anchors is complete', async () => {
  const other = await newWorkspace();
  await addNotes(
    other,
    Array.from({ length: 150 }, (_, at) => note(`n${at}`)),
  );
  const found = await other.must(GET, { ...PLACE, fields: 'anchors' });
  expect(found).toHaveLength(150);
  expect(found[0]).not.toHaveProperty('comments');
});
