import { expect, test } from 'vitest';
import type { AnnotationChanges } from '../shapes/annotations/annotation.ts';
import { type StoredAnnotation, subscriptionsOf } from './present-annotation.ts';
import { changesProposal, type Revision, revise } from './revise-annotation.ts';

const NOW = 2_000;
const ada = { userId: 'ada', name: 'Ada' };
const eve = { userId: 'eve', name: 'Eve' };

const stored = ({ body, ...columns }: Partial<StoredAnnotation> = {}): StoredAnnotation => ({
  apiKeyId: 'k',
  organizationId: 'acme',
  documentId: 'website',
  annotationId: 'headline',
  annotationNumber: 1,
  authorId: 'ada',
  statusId: 'OPEN',
  locationId: null,
  agentId: null,
  executionId: null,
  agentUrl: null,
  suggestionStatus: null,
  causeId: null,
  visibility: null,
  createdAt: 1_000,
  lastUpdated: 1_000,
  ...columns,
  body: { from: ada, status: { id: 'OPEN', name: 'Open', type: 'default' }, ...body },
});

const suggested = (status: string, suggestion: object = {}) =>
  stored({
    suggestionStatus: status,
    body: { suggestion: { status, summary: 'Say it shorter.', newValue: 'Short.', ...suggestion } },
  });

const revised = (row: StoredAnnotation, changes: AnnotationChanges, byUser = false): Revision => {
  const revision = revise(row, changes, { now: NOW, byUser });
  if ('refused' in revision) expect.fail(revision.refused);
  return revision;
};
const namesOf = ({ events }: Revision) => events.map(({ name }) => name.replace('comment_annotation.', ''));

test('null removes a field, and an omitted field stays', () => {
  const row = stored({ locationId: 'prices', body: { location: { id: 'prices' }, priority: { id: 'P0' } } });
  const { row: after } = revised(row, { location: null });
  expect(after.locationId).toBeNull();
  expect(after.body).toEqual({ from: ada, status: row.body.status, priority: { id: 'P0' } });
  expect(after.lastUpdated).toBe(NOW);
});

test('the time of the last update never goes back', () => {
  expect(revised(stored({ lastUpdated: 9_000 }), { isPageAnnotation: true }).row.lastUpdated).toBe(9_000);
});

test('a status that is not terminal clears the resolver even if one is sent, and keeps the user who set it', () => {
  const row = stored({ body: { resolvedByUserId: 'eve' } });
  const change = { statusUpdatedByUserId: 'ada', resolvedByUserId: 'ada' };
  const reopened = revised(row, { ...change, status: { id: 'IN_PROGRESS' } }).row;
  expect(reopened.statusId).toBe('IN_PROGRESS');
  expect(reopened.body).not.toHaveProperty('resolvedByUserId');
  expect(reopened.body).toMatchObject({
    statusUpdatedByUserId: 'ada',
    status: { id: 'IN_PROGRESS', type: 'ongoing' },
  });
  const resolved = revised(row, { ...change, status: { id: 'RESOLVED' } }).row;
  expect(resolved.body.resolvedByUserId).toBe('ada');
});

test('an API key replaces a suggestion as a whole, and a user who decides keeps the proposal', () => {
  const change: AnnotationChanges = { suggestion: { status: 'accepted', resolvedBy: 'eve' } };
  const byKey = revised(suggested('pending'), change).row;
  expect(byKey.body.suggestion).toEqual({ status: 'accepted', resolvedBy: 'eve', resolvedAt: NOW });
  const byUser = revised(suggested('pending'), change, true).row;
  expect(byUser.body.suggestion).toEqual({
    summary: 'Say it shorter.',
    newValue: 'Short.',
    status: 'accepted',
    resolvedBy: 'eve',
    resolvedAt: NOW,
  });
  expect([byKey.suggestionStatus, byUser.suggestionStatus]).toEqual(['accepted', 'accepted']);
});

test('a decided suggestion keeps its decision and its time', () => {
  const accepted = suggested('accepted', { resolvedAt: 1_500 });
  expect(revise(accepted, { suggestion: { status: 'rejected' } }, { now: NOW, byUser: false })).toEqual({
    refused: 'Suggestion is already accepted.',
  });
  expect(revise(accepted, { suggestion: { status: 'pending' } }, { now: NOW, byUser: false })).toEqual({
    refused: 'Suggestion is already accepted.',
  });
  const reworded = revised(accepted, { suggestion: { summary: 'Another one.' } }).row;
  expect(reworded.body.suggestion).toEqual({
    summary: 'Another one.',
    status: 'accepted',
    resolvedAt: 1_500,
  });
});

test('no user can change the proposal of a decided suggestion', () => {
  const rejected = suggested('rejected');
  const other: AnnotationChanges = { suggestion: { summary: 'Another one.' } };
  expect(revise(rejected, other, { now: NOW, byUser: true })).toEqual({
    refused: 'Suggestion is already rejected.',
  });
  const same: AnnotationChanges = { suggestion: { status: 'rejected', summary: 'Say it shorter.' } };
  expect(revised(rejected, same, true).row.body.suggestion).toMatchObject({ newValue: 'Short.' });
});

test('the decision and its details are not part of the proposal', () => {
  const before = { summary: 'Say it shorter.', oldValue: ['a'] };
  const decision = { status: 'rejected', rejectReason: 'No.', resolvedBy: 'eve', resolvedAt: 1 };
  expect(changesProposal(before, { ...before, ...decision })).toBe(false);
  expect(changesProposal(before, { oldValue: ['b'] })).toBe(true);
  expect(changesProposal(before, { oldValue: undefined })).toBe(false);
  expect(changesProposal(undefined, { summary: 'New.' })).toBe(true);
});

test('a new assignee is involved and subscribed, unless they have unsubscribed', () => {
  const assigned = revised(stored({ body: { involvedUserIds: ['ada'] } }), { assignedTo: eve }).row;
  expect(assigned.body.involvedUserIds).toEqual(['ada', 'eve']);
  expect(assigned.body.subscribedUsers).toEqual(subscriptionsOf([eve]));
  const left = stored({ body: { unsubscribedUsers: subscriptionsOf([eve]) } });
  const { involvedUserIds, subscribedUsers } = revised(left, { assignedTo: eve }).row.body;
  expect([involvedUserIds, subscribedUsers]).toEqual([['eve'], {}]);
});

test('a visibility for the own organization is stored with the id of that organization, in the column too', () => {
  const closed = revised(stored(), { visibility: { type: 'organizationPrivate' } }).row;
  const expected = { type: 'organizationPrivate', organizationId: 'acme' };
  expect([closed.visibility, closed.body.visibilityConfig]).toEqual([expected, expected]);
  const opened = revised(closed, { visibility: { type: 'public' } });
  expect(opened.row.visibility).toBeNull();
  expect(opened.events).toEqual([{ name: 'comment_annotation.update', fields: { visibilityChanged: true } }]);
});

test('each kind of change raises its own event, once', () => {
  const status = { id: 'RESOLVED' };
  expect(namesOf(revised(stored(), { status, statusUpdatedByUserId: 'ada' }))).toEqual(['status_change']);
  expect(namesOf(revised(stored(), { assignedTo: eve, priority: { id: 'P0', name: 'P0' } }))).toEqual([
    'assign',
    'priority_change',
  ]);
  expect(namesOf(revised(suggested('pending'), { suggestion: { status: 'accepted' } }))).toEqual([
    'suggestion_accept',
  ]);
  expect(namesOf(revised(suggested('pending'), { suggestion: { status: 'rejected' } }))).toEqual([
    'suggestion_reject',
  ]);
  expect(namesOf(revised(stored(), { status, isPageAnnotation: true }))).toEqual(['status_change', 'update']);
});

test('a change to the current value raises a plain update', () => {
  const row = stored({ body: { assignedTo: eve, priority: { id: 'P0', name: 'P0' } } });
  expect(namesOf(revised(row, { assignedTo: { ...eve, name: 'Eva' } }))).toEqual(['update']);
  expect(namesOf(revised(row, { status: { id: 'OPEN' } }))).toEqual(['update']);
  expect(namesOf(revised(row, { priority: null }))).toEqual(['priority_change']);
});

test('server-managed fields of a change are ignored, and custom fields are kept', () => {
  const changes = { annotationNumber: 7, viewedBy: ['eve'], ticket: 'T-1' } as AnnotationChanges;
  const { body } = revised(stored(), changes).row;
  expect(body).toMatchObject({ ticket: 'T-1' });
  expect(Object.keys(body)).not.toContain('annotationNumber');
  expect(Object.keys(body)).not.toContain('viewedBy');
});
