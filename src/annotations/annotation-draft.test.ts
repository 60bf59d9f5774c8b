import { expect, test } from 'vitest';
import type { NewAnnotation } from '../shapes/annotations/new-annotation.ts';
import { completeContext, draftAnnotation, pageAddress } from './annotation-draft.ts';
import type { PreparedComment } from './comment-draft.ts';
import { subscriptionsOf } from './present-annotation.ts';

const ada = { userId: 'ada', name: 'Ada' };
const eve = { userId: 'eve' };
const bob = { userId: 'bob' };

const commentBy = (from: { userId: string }, more: Partial<PreparedComment> = {}): PreparedComment => ({
  commentId: undefined,
  from,
  body: { commentText: 'Shorter, please.' },
  createdAt: 1_000,
  lastUpdated: 1_000,
  mentioned: [],
  triggerNotification: false,
  triggerActivities: false,
  ...more,
});

const drafted = (
  annotation: Partial<NewAnnotation>,
  comments: PreparedComment[] = [commentBy(ada)],
  byUser = false,
) =>
  draftAnnotation({ commentType: 'manual', commentData: [], ...annotation }, comments, {
    apiKeyId: 'k',
    organizationId: 'acme',
    documentId: 'website',
    annotationId: 'headline',
    now: 5_000,
    byUser,
  }).row;

test('an annotation starts open, public and with the author of its first comment', () => {
  const row = drafted({}, [commentBy(ada), commentBy(eve)]);
  expect(row).toMatchObject({ authorId: 'ada', statusId: 'OPEN', visibility: null, suggestionStatus: null });
  expect(row.body).toMatchObject({
    type: 'comment',
    sourceType: 'rest-api',
    from: ada,
    status: { id: 'OPEN', name: 'Open', type: 'default', color: '#625DF5', lightColor: '#E7E8FA' },
    visibilityConfig: { type: 'public' },
  });
});

test('authors, assignee and mentioned users follow, and mentions alone do not take part', () => {
  const { body } = drafted({ assignedTo: eve }, [commentBy(ada, { mentioned: [bob] })]);
  expect(body.involvedUserIds).toEqual(['ada', 'eve']);
  expect(body.mentionedUserIds).toEqual(['bob']);
  expect(body.subscribedUsers).toEqual(subscriptionsOf([ada, eve, bob]));
});

test('a suggestion is always pending at first, whatever was sent', () => {
  const sent = { summary: 'Say it shorter.', status: 'accepted' };
  const row = drafted({ suggestion: sent });
  expect(row.suggestionStatus).toBe('pending');
  expect(row.body).toMatchObject({
    type: 'suggestion',
    suggestion: { summary: 'Say it shorter.', status: 'pending' },
  });
  expect(drafted({ commentType: 'suggestion' }).body.suggestion).toEqual({ status: 'pending' });
});

test('an explicit type takes precedence over a suggestion', () => {
  const row = drafted({ type: 'comment', suggestion: { summary: 'Say it shorter.' } });
  expect([row.body.type, row.suggestionStatus]).toEqual(['comment', null]);
});

test('an annotation of an agent names the agent, its run and the page without fragment', () => {
  const agent = { agentId: 'spell-check', executionId: 'exe_1', url: 'https://example.com/a?b=1#c' };
  const row = drafted({}, [commentBy({ userId: 'spell-check' }, { body: { agent } })]);
  expect(row).toMatchObject({
    agentId: 'spell-check',
    executionId: 'exe_1',
    agentUrl: 'https://example.com/a?b=1',
  });
  expect(row.body).toMatchObject({ sourceType: 'agent', agent });
});

test('an agent without an id is identified by its name, and an address that is not a web page is ignored', () => {
  const agent = { agentName: 'Outside reviewer', url: 'about:blank' };
  expect(drafted({}, [commentBy(ada, { body: { agent } })])).toMatchObject({
    agentId: 'Outside reviewer',
    executionId: null,
    agentUrl: null,
  });
  expect(pageAddress('no address')).toBeUndefined();
});

test('an API key sets the times, a user does not', () => {
  const times = { createdAt: 100, lastUpdated: 200 };
  expect(drafted(times)).toMatchObject({ createdAt: 100, lastUpdated: 200 });
  expect(drafted(times, [commentBy(ada, { lastUpdated: 4_000 })], true)).toMatchObject({
    createdAt: 5_000,
    lastUpdated: 5_000,
  });
});

test('lastUpdated is never before createdAt', () => {
  expect(drafted({ createdAt: 3_000, lastUpdated: 10 }).lastUpdated).toBe(3_000);
});

test('without an explicit time, lastUpdated is that of the latest comment', () => {
  const comments = [commentBy(ada, { lastUpdated: 6_000 }), commentBy(eve, { lastUpdated: 7_000 })];
  expect(drafted({ createdAt: 1 }, comments).lastUpdated).toBe(7_000);
});

test('server-managed fields are ignored, and custom fields are kept', () => {
  const sent = { annotationNumber: 9, subscribedUsers: {}, from: bob, pageInfo: { url: '/' }, ticket: 'T-1' };
  const { body } = drafted(sent);
  expect(body).toMatchObject({ from: ada, pageInfo: { url: '/' }, ticket: 'T-1' });
  expect(body).not.toHaveProperty('annotationNumber');
  expect(body.subscribedUsers).toEqual(subscriptionsOf([ada]));
});

test('the visibility of a restricted annotation is stored in a column', () => {
  const visibility = { type: 'restricted' as const, userIds: ['eve'] };
  expect(drafted({ visibility }).visibility).toEqual(visibility);
});

test('access fields become one pair per value', () => {
  expect(completeContext({ page: 1, access: { team: ['red', 'blue'], level: 2 } })).toEqual({
    page: 1,
    access: { team: ['red', 'blue'], level: 2 },
    accessFields: ['team:red', 'team:blue', 'level:2'],
  });
  expect(completeContext({ page: 1 })).toEqual({ page: 1 });
});
