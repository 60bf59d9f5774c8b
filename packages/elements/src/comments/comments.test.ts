import type { Thread } from '@redpen/client';
import { expect, test } from 'vitest';
import { hueOf, initialsOf } from './avatar.ts';
import { draftOf, keepDraft } from './drafts.ts';
import { parseInline, parseMarkdown, plainText } from './markdown.ts';
import { asTyped, mentionAt, peopleFor, withReferences } from './mentions.ts';
import { concerns, isOnPage, isShown, NO_FILTER, partOrphans } from './thread-list.ts';

test('marks of a line are read, and nested ones too', () => {
  expect(parseInline('`d **e**` ~~f~~ _g_')).toEqual([
    { kind: 'code', text: 'd **e**' },
    ' ',
    { kind: 'del', children: ['f'] },
    ' ',
    { kind: 'em', children: ['g'] },
  ]);
  expect(parseInline('**a `b`** and *c*')).toEqual([
    { kind: 'strong', children: ['a ', { kind: 'code', text: 'b' }] },
    ' and ',
    { kind: 'em', children: ['c'] },
  ]);
});

test('what is no mark stays as it is', () => {
  for (const text of ['2 * 3 * 4', 'snake_case_name', 'a ** b', '[x](javascript:alert(1))', '<b>', '{{}}'])
    expect(parseInline(text), text).toEqual([text]);
});

test('addresses become links, without the signs that end a sentence', () => {
  expect(parseInline('See https://a.dev/b?c=(1).')).toEqual([
    'See ',
    { kind: 'link', url: 'https://a.dev/b?c=(1', children: ['https://a.dev/b?c=(1'] },
    ').',
  ]);
  expect(parseInline('[guide](https://a.dev/)')).toEqual([
    { kind: 'link', url: 'https://a.dev/', children: ['guide'] },
  ]);
});

test('paragraphs, lists, quotes and code are told apart', () => {
  expect(parseMarkdown('one\ntwo\n\n- a\n- b\n1. c\n> d\n> - e\n```\n**f**\n```\ng')).toEqual([
    { kind: 'paragraph', lines: [['one'], ['two']] },
    { kind: 'bullets', items: [['a'], ['b']] },
    { kind: 'numbers', items: [['c']] },
    {
      kind: 'quote',
      blocks: [
        { kind: 'paragraph', lines: [['d']] },
        { kind: 'bullets', items: [['e']] },
      ],
    },
    { kind: 'code', text: '**f**' },
    { kind: 'paragraph', lines: [['g']] },
  ]);
});

test('a long text of marks is read in linear time', () => {
  const text = '**_`[{{'.repeat(20_000);
  expect(plainText(text, String)).toContain('[{{');
  expect(parseMarkdown('>'.repeat(5_000))).toHaveLength(1);
});

const people = [
  { userId: 'u1', name: 'Ada', email: 'ada@acme.dev' },
  { userId: 'u2', name: 'Ada Lovelace' },
  { userId: 'u3', name: '山田' },
];

test('names become references, the longer name first', () => {
  expect(withReferences('@Ada Lovelace, @Ada and @Adam: x@Ada', people)).toEqual({
    commentText: '{{u2}}, {{u1}} and @Adam: x@Ada',
    taggedUserContacts: [
      { userId: 'u1', contact: { userId: 'u1', name: 'Ada', email: 'ada@acme.dev' }, text: '@Ada' },
      { userId: 'u2', contact: { userId: 'u2', name: 'Ada Lovelace' }, text: '@Ada Lovelace' },
    ],
  });
});

test('an edited comment is shown as it was typed', () => {
  const comment = {
    commentId: 1,
    createdAt: 0,
    lastUpdated: '',
    commentText: 'Hi {{u1}} {{gone}}',
    taggedUserContacts: [{ userId: 'u1', contact: people[0]! }],
  };
  expect(asTyped(comment)).toEqual({ text: 'Hi @Ada @gone', people: [people[0]] });
});

test('a mention begins with @ at the start of a word', () => {
  expect(mentionAt('Hi @ad', 6)).toEqual({ query: 'ad', start: 3 });
  expect(mentionAt('@', 1)).toEqual({ query: '', start: 0 });
  expect(mentionAt('x@ad', 4)).toBeUndefined();
  expect(mentionAt('Hi @ad', 2)).toBeUndefined();
});

test('people are found by the beginnings of their names', () => {
  const found = (query: string) => peopleFor(query, people).map(({ userId }) => userId);
  expect(found('ad lo')).toEqual(['u2']);
  expect(found('acme')).toEqual(['u1']);
  expect(found('')).toEqual(['u1', 'u2', 'u3']);
  expect(found('da')).toEqual([]);
});

test('a draft without words is none', () => {
  keepDraft('key', { text: 'words', people: [], attachments: [] });
  expect(draftOf('key')?.text).toBe('words');
  keepDraft('key', { text: ' ', people: [], attachments: [] });
  expect(draftOf('key')).toBeUndefined();
  keepDraft(undefined, { text: 'words', people: [], attachments: [] });
  expect(draftOf(undefined)).toBeUndefined();
});

const thread = (more: Partial<Thread> = {}): Thread => ({
  annotationId: 'a',
  annotationNumber: 1,
  annotationIndex: 1,
  visibilityConfig: { type: 'public' },
  metadata: { apiKey: '', organizationId: '', documentId: '' },
  createdAt: 0,
  lastUpdated: 0,
  comments: [],
  ...more,
});

test('a thread is resolved by its status or by the decision on its suggestion', () => {
  const shown = (more: Partial<Thread>, show: 'open' | 'resolved') =>
    isShown(thread(more), { ...NO_FILTER, show }, undefined, undefined);
  expect(shown({}, 'open')).toBe(true);
  expect(shown({ status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' } }, 'open')).toBe(false);
  expect(shown({ suggestion: { status: 'accepted' } }, 'resolved')).toBe(true);
  expect(shown({ suggestion: { status: 'pending' } }, 'resolved')).toBe(false);
});

test('a thread concerns its authors, the assignee and the mentioned', () => {
  expect(concerns(thread({ from: { userId: 'ada' } }), 'ada')).toBe(true);
  expect(concerns(thread({ mentionedUserIds: ['ada'] }), 'ada')).toBe(true);
  expect(concerns(thread({ assignedTo: { userId: 'bob' } }), 'ada')).toBe(false);
  expect(concerns(thread({ from: { userId: 'ada' } }), undefined)).toBe(false);
});

test('a fragment names no other page', () => {
  const one = thread({ pageInfo: { url: 'https://a.dev/b#c' } });
  expect(isOnPage(one, 'https://a.dev/b')).toBe(true);
  expect(isOnPage(one, 'https://a.dev/')).toBe(false);
});

test('threads without a place are kept apart', () => {
  const [a, b] = [thread(), thread({ annotationId: 'b' })];
  expect(partOrphans([a, b], ['b'])).toEqual({ placed: [a], orphaned: [b] });
  expect(partOrphans([a], undefined)).toEqual({ placed: [a], orphaned: [] });
});

test('initials are those that readers see, and colors belong to people', () => {
  const initials = (name: string) => initialsOf({ userId: 'u', name });
  expect(['Ada Lovelace', 'eve', '山田 花子', 'Éva-Maria von Ö'].map(initials)).toEqual([
    'AL',
    'E',
    '山花',
    'ÉÖ',
  ]);
  expect(initialsOf({ userId: 'user_1' })).toBe('U1');
  expect(hueOf('ada')).toBe(hueOf('ada'));
});
