import { expect, test } from 'vitest';
import { DELETED_USER, erasePeople, tracesOf } from './erase-people.ts';
import { md5 } from './ids.ts';

const ada = {
  userId: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  photoUrl: 'https://x.org/a.png',
};
const bo = { userId: 'bo', name: 'Bo' };

test('an erased user is removed from lists, and replaced by the deleted user elsewhere', () => {
  const record = {
    from: ada,
    assignedTo: bo,
    to: [ada, bo],
    resolvedByUserId: 'ada',
    statusUpdatedByUserId: 'bo',
    mentionedUserIds: ['ada', 'bo'],
    visibilityConfig: { type: 'restricted', userIds: ['ada'] },
    subscribedUsers: { [md5('ada')]: { user: ada, type: 'auto' }, [md5('bo')]: { user: bo, type: 'auto' } },
    deep: [{ contact: ada }, [{ contact: bo }]],
  };
  expect(erasePeople(record, ['ada'])).toEqual({
    from: DELETED_USER,
    assignedTo: bo,
    to: [bo],
    resolvedByUserId: DELETED_USER.userId,
    statusUpdatedByUserId: 'bo',
    mentionedUserIds: ['bo'],
    visibilityConfig: { type: 'restricted', userIds: [] },
    subscribedUsers: { [md5('bo')]: { user: bo, type: 'auto' } },
    deep: [{ contact: DELETED_USER }, [{ contact: bo }]],
  });
});

test('mentions in texts lose the name, whether they use the id or the text of the mention', () => {
  const record = {
    commentText: 'Hi @Ada Lovelace and {{ ada }} and {{bo}}, see the adage',
    commentHtml: '<b>@Ada Lovelace</b>',
    taggedUserContacts: [
      { userId: 'ada', text: '@Ada Lovelace', contact: ada },
      { userId: 'bo', text: '@Bo', contact: bo },
    ],
  };
  expect(erasePeople(record, ['ada'])).toEqual({
    commentText: 'Hi Deleted user and Deleted user and {{bo}}, see the adage',
    commentHtml: '<b>Deleted user</b>',
    taggedUserContacts: [{ userId: 'bo', text: '@Bo', contact: bo }],
  });
});

test('a record about an erased user loses name and email, and keeps its other fields', () => {
  expect(erasePeople({ organizationId: 'acme', ...ada, accessRole: 'editor' }, ['ada'])).toEqual({
    organizationId: 'acme',
    userId: DELETED_USER.userId,
    photoUrl: 'https://x.org/a.png',
    accessRole: 'editor',
  });
});

test('values that do not name an erased user stay unchanged', () => {
  const record = { from: bo, ids: ['ada'], word: 'ada', list: [1, null, 'ada'], none: null };
  expect(erasePeople(record, ['ada', 'name', 'constructor'])).toEqual(record);
  expect(erasePeople(null, ['ada'])).toBeNull();
});

test('every record that erasure changes contains a trace, whatever the id', () => {
  for (const userId of ['ada', 'a"b\\c', 'é\n', '{{x', '1']) {
    const person = { ...ada, userId };
    const records = [
      { from: person },
      { someUserIds: [userId] },
      { [md5(userId)]: 1 },
      { text: `{{${userId}}}` },
    ];
    for (const record of records) {
      const written = JSON.stringify(record);
      const isTraced = tracesOf([userId]).some((trace) => written.includes(trace));
      const isChanged = JSON.stringify(erasePeople(record, [userId])) !== written;
      expect([userId, record, isTraced || !isChanged]).toEqual([userId, record, true]);
    }
  }
});
