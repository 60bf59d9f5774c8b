import { beforeAll, expect, test } from 'vitest';
import { addNotes, ann, bob, COUNT, GET, note, PLACE, UPDATE } from '../../../test/documents/annotations.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';

let workspace: TestWorkspace;

const finding = (reason: object, more: object = {}) => ({
  commentData: [
    {
      commentText: 'A finding.',
      from: ann,
      agent: {
        agentSource: 'external',
        agentName: 'Checker',
        reason: { title: 'Old price', description: 'x', severity: 'low', issueType: 'price', ...reason },
        ...more,
      },
    },
  ],
});

const get = async (data: object) => (await workspace.post(GET, { ...PLACE, order: 'asc', ...data })).body;
const idsFor = async (filter: object) =>
  (await get(filter)).result.data.map((row: { annotationId: string }) => row.annotationId);

beforeAll(async () => {
  workspace = await newWorkspace();
  await addNotes(workspace, [
    note('person', { pageInfo: { url: 'https://Example.com:443/prices?plan=1#top' } }),
    note('root', { pageInfo: { url: 'https://example.com' } }),
    note('nowhere', { pageInfo: { url: 'about:blank' } }),
    { annotationId: 'agent', ...finding({}, { url: 'https://example.com/prices?plan=1' }) },
    {
      annotationId: 'severe',
      type: 'suggestion',
      suggestion: { summary: 'Write 100% of it', newValue: 'snake_case' },
      ...finding({ severity: 'critical', issueType: 'grammar', title: 'Größe fehlt' }),
    },
    note('open', { type: 'suggestion', suggestion: { newValue: 'Nine euros' } }),
    {
      annotationId: 'html',
      commentData: [
        { commentHtml: '<p>Bold <b>claim</b></p>', from: ann },
        { commentText: 'Why?', from: bob },
      ],
    },
    note('hidden', {
      commentData: [{ commentText: 'Secret plan', from: ann }],
      visibility: { type: 'restricted', userIds: ['ann'] },
    }),
  ]);
  await workspace.must(UPDATE, {
    ...PLACE,
    annotationIds: ['severe'],
    updatedData: { suggestion: { status: 'accepted', summary: 'Write 100% of it', newValue: 'snake_case' } },
  });
});

test.each([
  [{ pageUrl: 'https://example.com/prices?plan=1' }, ['agent', 'person']],
  [{ pageUrl: 'HTTPS://EXAMPLE.com/prices?plan=1#bottom' }, ['agent', 'person']],
  [{ pageUrl: 'https://example.com/prices' }, []],
  [{ pageUrl: 'https://example.com/' }, ['root']],
  [{ pageUrls: ['https://example.com', 'https://example.com/prices?plan=1'] }, ['agent', 'person', 'root']],
  [{ suggestionStatus: 'pending' }, ['open']],
  [{ suggestionStatus: ['pending', 'accepted'] }, ['open', 'severe']],
  [{ suggestionStatus: 'rejected' }, []],
  [{ severity: 'critical' }, ['severe']],
  [{ severity: ['low', 'critical'] }, ['agent', 'severe']],
  [{ issueType: 'price' }, ['agent']],
  [{ issueType: ['grammar', 'price'], severity: 'low' }, ['agent']],
  [{ text: 'SHORT' }, ['nowhere', 'open', 'person', 'root']],
  [{ text: 'please, shorter' }, ['nowhere', 'open', 'person', 'root']],
  [{ text: 'horter' }, []],
  [{ text: 'größe' }, ['severe']],
  [{ text: 'snake_case' }, ['severe']],
  [{ text: 's_ake' }, []],
  [{ text: 's%ake' }, []],
  [{ text: 'euros nine', suggestionStatus: 'pending' }, ['open']],
  [{ text: 'claim' }, ['html']],
  [{ text: 'claim why' }, []],
  [{ text: "o'b\\'--" }, []],
  [{ text: 'old price', pageUrl: 'https://example.com/prices?plan=1' }, ['agent']],
  [{ text: 'secret' }, ['hidden']],
])('the filter %j returns %j', async (filter, expected) => {
  expect((await idsFor(filter)).sort()).toEqual(expected);
});

test('a filter by something else than a page, by both names or by no word is refused', async () => {
  for (const [filter, message] of [
    [{ pageUrl: 'no url' }, 'pageUrl must be the URL of a page'],
    [{ pageUrl: 'mailto:ann@example.com' }, 'pageUrl must be the URL of a page'],
    [{ pageUrl: 'https://example.com', pageUrls: ['https://example.com'] }, 'pageUrl and pageUrls'],
    [{ text: '%' }, 'text must contain a letter or digit'],
  ] as const) {
    const { error } = await get(filter);
    expect(error).toMatchObject({ status: 'INVALID_ARGUMENT', message: expect.stringContaining(message) });
  }
});

test('a cursor belongs to its filter, and pages of a filter are complete', async () => {
  const first = await get({ text: 'shorter', pageSize: 3 });
  const pageToken = first.result.nextPageToken;
  const second = await get({ text: 'shorter', pageSize: 3, pageToken });
  expect([...first.result.data, ...second.result.data]).toHaveLength(4);
  const other = await workspace.post(GET, { ...PLACE, order: 'asc', text: 'please', pageSize: 3, pageToken });
  expect(other.status).toBe(400);
});

test('users find only what they may see', async () => {
  const as = async (userId: string) => {
    const resources = [{ type: 'document', id: PLACE.documentId, organizationId: PLACE.organizationId }];
    const user = await newUserToken(workspace, { userId, resources });
    return await user.post(GET, { ...PLACE, text: 'secret' });
  };
  expect((await as('ann')).body.result.data).toHaveLength(1);
  expect((await as('bob')).body.result.data).toEqual([]);
});

test('the words of an organization are not found in another', async () => {
  const { body } = await workspace.post(GET, { organizationId: 'other', text: 'shorter' });
  expect(body.result.data).toEqual([]);
  const stranger = await newWorkspace();
  expect(await stranger.must(GET, { organizationId: PLACE.organizationId, text: 'shorter' })).toEqual([]);
});

test('counts take the same filters', async () => {
  const count = (filter: object) =>
    workspace.must(COUNT, {
      organizationId: PLACE.organizationId,
      documentIds: [PLACE.documentId],
      userId: 'ann',
      ...filter,
    });
  const total = async (filter: object) => (await count(filter))[PLACE.documentId].total;
  expect(await total({ pageUrl: 'https://example.com/prices?plan=1#x' })).toBe(2);
  expect(await total({ severity: ['low'], suggestionStatus: 'pending' })).toBe(0);
  expect(await total({ text: 'secret' })).toBe(1);
});

test('a comment with very long words and texts is stored, and found by its beginning', async () => {
  const long = Array.from({ length: 20_000 }, (_, at) => `w${at.toString(36)}é`).join(' ');
  await addNotes(workspace, [
    note('long', { commentData: [{ commentText: `${'x'.repeat(100_000)} y`, from: ann }] }),
    note('many', { commentData: [{ commentText: long, from: ann }] }),
    note('far', { pageInfo: { url: `https://example.com/${'p'.repeat(50_000)}` } }),
  ]);
  expect(await idsFor({ text: 'x'.repeat(60) })).toEqual(['long']);
  expect(await idsFor({ text: 'w12 w13' })).toEqual(['many']);
});
