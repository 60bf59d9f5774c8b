import type { Thread } from '@redpen/client';
import { expect, test } from 'vitest';
import { isDone, matches, pageOf, parseThreads, queryOf, titleOf } from './thread-filter.ts';

const thread = (more: object = {}): Thread =>
  ({
    annotationId: 'a',
    type: 'comment',
    comments: [
      { commentId: 1, commentText: 'Are the prices with tax?', from: { userId: 'eve', name: 'Eve' } },
    ],
    ...more,
  }) as Thread;
const agent = { agentSource: 'platform', url: 'https://example.com/a', reason: { title: 'Broken link' } };
const place = { organizationId: 'acme', documentId: 'website' };

test('the address says which threads are listed', () => {
  expect(
    parseThreads({ state: 'resolved', by: 'mine', page: 'https://example.com/', text: 404, unread: true }),
  ).toEqual({ state: 'resolved', by: 'mine', page: 'https://example.com/', text: '404', unread: true });
  expect(parseThreads({ state: 'open', by: 'all', unread: 'yes', text: '', other: 1 })).toEqual({});
});

test('the service filters authors and pages', () => {
  expect(queryOf(place, {}, 'ada')).toEqual(place);
  expect(queryOf(place, { by: 'mine', page: 'https://example.com/' }, 'ada')).toEqual({
    ...place,
    userIds: ['ada'],
    pageUrl: 'https://example.com/',
  });
  expect(queryOf(place, { by: 'agents' }, 'ada')).toEqual({ ...place, agentSuggestions: true });
});

test('a thread is done by its status or by the decision on its suggestion', () => {
  expect(isDone(thread())).toBe(false);
  expect(isDone(thread({ status: { id: 'X', name: 'X', type: 'terminal' } }))).toBe(true);
  expect(isDone(thread({ suggestion: { status: 'pending' } }))).toBe(false);
  expect(isDone(thread({ suggestion: { status: 'rejected' } }))).toBe(true);
});

test('a list has what the filters ask for, and the thread that is open', () => {
  const done = thread({ status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' } });
  expect(matches(done, {})).toBe(false);
  expect(matches(done, { state: 'resolved' })).toBe(true);
  expect(matches(done, { state: 'all' })).toBe(true);
  expect(matches(done, { annotation: 'a' })).toBe(true);
  expect(matches(thread({ agent }), { by: 'people' })).toBe(false);
  expect(matches(thread({ isUnread: false }), { unread: true })).toBe(false);
  expect(matches(thread(), { unread: true })).toBe(true);
  expect(matches(thread(), { text: 'TAX eve' })).toBe(true);
  expect(matches(thread(), { text: 'tax bob' })).toBe(false);
});

test('a thread is known by what its agent or its first comment says', () => {
  expect(titleOf(thread())).toBe('Are the prices with tax?');
  expect(titleOf(thread({ agent }))).toBe('Broken link');
  expect(titleOf(thread({ type: 'suggestion', suggestion: { summary: 'Shorter' } }))).toBe('Shorter');
  expect(titleOf(thread({ comments: [] }))).toBe('Comment without text');
  expect(pageOf(thread({ agent }))).toBe('https://example.com/a');
  expect(pageOf(thread({ pageInfo: { url: null } }))).toBe(undefined);
});

test('lines and searches have names in place of the ids of mentions', () => {
  const comment = {
    commentText: 'Ask **{{bob}}**.',
    taggedUserContacts: [{ userId: 'bob', contact: { userId: 'bob', name: 'Bob Ngata' } }],
  };
  expect(titleOf(thread({ comments: [comment] }))).toBe('Ask @Bob Ngata.');
  expect(matches(thread({ comments: [comment] }), { text: 'ngata' })).toBe(true);
});
