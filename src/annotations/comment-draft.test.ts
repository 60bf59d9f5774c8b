import { expect, test } from 'vitest';
import { ApiError } from '../lib/errors.ts';
import { mentionedUsers, prepareChanges, prepareComments } from './comment-draft.ts';

type Drafts = Parameters<typeof prepareComments>[0];
type Draft = Drafts[number];

const draftOf = (fields: Partial<Draft>): Draft => ({
  type: 'text',
  triggerNotification: false,
  triggerActivities: false,
  ...fields,
});
const prepare = (drafts: Partial<Draft>[], byUser = false) =>
  prepareComments(drafts.map(draftOf), { now: 1_000, byUser, path: ['commentData'] });
const ada = { userId: 'ada', name: 'Ada' };
const spellCheck = {
  agentSource: 'platform' as const,
  agentId: 'spell-check',
  agentName: 'Spell check',
  reason: { title: 'Typo', description: 'One letter is missing.', severity: 'low' as const },
};

test('a comment gets all fields of its record, with the current time', () => {
  const [comment] = prepare([{ commentText: 'Shorter, please.', from: ada }]);
  expect(comment).toMatchObject({ commentId: undefined, createdAt: 1_000, lastUpdated: 1_000, from: ada });
  expect(comment!.body).toEqual({
    type: 'text',
    status: 'added',
    sourceType: 'rest-api',
    isDraft: false,
    isEdited: false,
    isCommentResolverUsed: false,
    isCommentTextAvailable: true,
    from: ada,
    to: [],
    taggedUserContacts: [],
    attachments: [],
    commentText: 'Shorter, please.',
  });
});

test('all problems of the comments are reported at once, with their paths', () => {
  try {
    prepare([{ commentId: 7, from: ada }, { commentId: 7, from: ada }, { commentText: 'Whose?' }]);
    expect.fail('nothing was refused');
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    const { status, details } = error as ApiError;
    expect(status).toBe('INVALID_ARGUMENT');
    expect(details).toMatchObject({
      issues: [
        {
          path: ['commentData', 1, 'commentId'],
          message: 'commentData[1].commentId is used twice.',
        },
        { path: ['commentData', 2, 'from'], message: 'commentData[2].from is required.' },
      ],
    });
  }
});

test('an agent is the author unless a user is named', () => {
  const [comment] = prepare([{ agent: spellCheck }]);
  expect(comment!.from).toEqual({ userId: 'spell-check', name: 'Spell check' });
  expect(comment!.body).toMatchObject({ sourceType: 'agent', agent: spellCheck });
  expect(prepare([{ agent: spellCheck, from: ada }])[0]!.from).toEqual(ada);
});

test('a user cannot write as an agent', () => {
  expect(() => prepare([{ from: ada, agent: spellCheck }], true)).toThrow(
    'A user cannot comment as an agent: omit agent.',
  );
});

test('an API key sets the times, a user does not', () => {
  const draft = { from: ada, createdAt: 10, lastUpdated: 20 };
  expect(prepare([draft])[0]).toMatchObject({ createdAt: 10, lastUpdated: 20 });
  expect(prepare([{ from: ada, createdAt: 10 }])[0]).toMatchObject({ createdAt: 10, lastUpdated: 10 });
  expect(prepare([draft], true)[0]).toMatchObject({ createdAt: 1_000, lastUpdated: 1_000 });
});

test('comment HTML and texts of agents are sanitized', () => {
  const reason = {
    ...spellCheck.reason,
    htmlSnippet: '<img src=x onerror=alert(1)>',
    note: '<script>x</script>a',
  };
  const [comment] = prepare([
    { from: ada, commentHtml: '<b>Hi</b><script>alert(1)</script>', agent: { ...spellCheck, reason } },
  ]);
  expect(comment!.body.commentHtml).toBe('<b>Hi</b>');
  const text = JSON.stringify(comment!.body.agent);
  expect(text).not.toContain('<img');
  expect(text).not.toContain('<script');
});

test('a user who is mentioned twice is listed once, by the latest name', () => {
  const contact = (name: string) => ({ userId: 'eve', contact: { userId: 'other', name } });
  const taggedUserContacts = [contact('Eve'), contact('Eva')];
  expect(mentionedUsers({ taggedUserContacts })).toEqual([{ userId: 'eve', name: 'Eva' }]);
  expect(prepare([{ from: ada, taggedUserContacts }])[0]!.body.to).toEqual([{ userId: 'eve', name: 'Eva' }]);
});

test('a comment with attachments only has no text', () => {
  expect(prepare([{ from: ada, commentText: '' }])[0]!.body.isCommentTextAvailable).toBe(false);
  expect(prepare([{ from: ada, isCommentTextAvailable: true }])[0]!.body.isCommentTextAvailable).toBe(true);
});

test('a change contains the sent fields, and marks the comment as edited', () => {
  expect(prepareChanges({ commentText: 'Better.', triggerNotification: false }, 2_000)).toEqual({
    commentText: 'Better.',
    isCommentTextAvailable: true,
    status: 'updated',
    isEdited: true,
    editedAt: 2_000,
  });
  const tags = prepareChanges({ taggedUserContacts: [], triggerNotification: false }, 2_000);
  expect(tags).toMatchObject({ to: [], taggedUserContacts: [] });
  expect(tags).not.toHaveProperty('isCommentTextAvailable');
});
