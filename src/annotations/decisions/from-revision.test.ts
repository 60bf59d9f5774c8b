import { expect, test } from 'vitest';
import type { AnnotationChanges } from '../../shapes/annotations/annotation.ts';
import type { StoredAnnotation } from '../present-annotation.ts';
import type { RaisedEvent } from '../revise-annotation.ts';
import { decisionsIn } from './from-revision.ts';

const row = { annotationId: 'headline' } as StoredAnnotation;
const ada = { userId: 'ada', name: 'Ada' };

const decided = (changes: AnnotationChanges, events: RaisedEvent[], actionUser?: typeof ada) =>
  decisionsIn([{ row, events }], changes, { actionUser, now: 1_000 }).map((decision) => decision.decided);

const statusChange = (newStatus: object): RaisedEvent => ({
  name: 'comment_annotation.status_change',
  fields: { oldStatus: {}, newStatus },
});
const accept: RaisedEvent = { name: 'comment_annotation.suggestion_accept', fields: {} };
const reject: RaisedEvent = { name: 'comment_annotation.suggestion_reject', fields: {} };
const update: RaisedEvent = { name: 'comment_annotation.update', fields: {} };

test('accepting approves and rejecting rejects, on behalf of the user who resolved the suggestion', () => {
  const changes: AnnotationChanges = {
    suggestion: { status: 'accepted', resolvedBy: 'eve' },
    resolvedByUserId: 'bob',
  };
  expect(decided(changes, [accept], ada)).toEqual([
    { origin: 'suggestion', decision: 'approve', by: { userId: 'eve' }, at: 1_000 },
  ]);
  expect(decided(changes, [reject], ada)).toMatchObject([{ decision: 'reject', by: { userId: 'eve' } }]);
});

test.each([
  [{ id: 'RESOLVED', name: 'Resolved', type: 'terminal' }, 'resolve'],
  [{ id: 'IN_PROGRESS', name: 'In Progress', type: 'ongoing' }, 'in_progress'],
  [{ id: 'OPEN', name: 'Open', type: 'default' }, 'in_progress'],
  [{ id: 'legal-ok', name: 'Approved by legal', type: 'terminal' }, 'approve'],
  [{ id: 'ACCEPTED', name: 'Done', type: 'terminal' }, 'approve'],
  [{ id: 'x', name: 'Declined', type: 'terminal' }, 'reject'],
])('a status decides by its id or name if these are clear, otherwise by its type: %o', (status, decision) => {
  expect(decided({}, [statusChange(status)])).toMatchObject([{ origin: 'status', decision }]);
});

test('a status is attributed to the user named for it, else to the resolver, else to the actor', () => {
  const events = [statusChange({ id: 'RESOLVED', type: 'terminal' })];
  const by = (changes: AnnotationChanges, actionUser?: typeof ada) =>
    decided(changes, events, actionUser).map((decision) => decision.by.userId);
  expect(by({ statusUpdatedByUserId: 'eve', resolvedByUserId: 'bob' }, ada)).toEqual(['eve']);
  expect(by({ resolvedByUserId: 'bob' }, ada)).toEqual(['bob']);
  expect(by({ statusUpdatedByUserId: null, resolvedByUserId: null }, ada)).toEqual(['ada']);
  expect(by({})).toEqual(['system']);
});

test('a user who is named by id gets the name of the actor with that id', () => {
  const events = [statusChange({ id: 'RESOLVED', type: 'terminal' })];
  expect(decided({ statusUpdatedByUserId: 'ada' }, events, ada)[0]!.by).toEqual(ada);
  expect(decided({ statusUpdatedByUserId: 'eve' }, events, ada)[0]!.by).toEqual({ userId: 'eve' });
});

test('other changes make no decision', () => {
  expect(decided({ location: null }, [update])).toEqual([]);
  expect(decisionsIn([{ row, events: [accept] }], undefined, { actionUser: ada, now: 1 })).toEqual([]);
});
