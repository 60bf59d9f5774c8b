import { expect, test } from 'vitest';
import {
  ADD,
  addNotes,
  ann,
  eventPayloads,
  note,
  PLACE,
  recordOfNote,
  UPDATE,
} from '../../../../test/documents/annotations.ts';
import { newWorkspace } from '../../../../test/service/harness.ts';

const COMMENTS = '/v2/commentannotations/comments';
const ON = { ...PLACE, annotationId: 'a1' };
const MANY = 70;
const many = (count: number) => Array.from({ length: count }, () => ({ commentText: 'x', from: ann }));
const huge = { metadata: { x: 'x'.repeat(500_000) } };
const REFUSAL = 'The annotation is too large for so many comments at once.';

test('many comments at once on a huge annotation are refused, since each event has the whole annotation', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note('a1', huge)]);
  const refused = await workspace.post(`${COMMENTS}/add`, { ...ON, commentData: many(MANY) });
  expect([refused.status, refused.body.error.message]).toEqual([400, REFUSAL]);
  const atOnce = [note('a2', { ...huge, commentData: many(MANY) })];
  const added = await workspace.post(ADD, { ...PLACE, commentAnnotations: atOnce });
  expect(added.body.error.message).toBe(REFUSAL);
  expect(await recordOfNote(workspace, 'a2')).toBeNull();
  await workspace.must(`${COMMENTS}/add`, { ...ON, commentData: many(3) });
  expect((await recordOfNote(workspace, 'a1')).comments).toHaveLength(4);
});

test('many comments of a huge annotation are deleted at once, with events that only name it', async () => {
  const workspace = await newWorkspace();
  await addNotes(workspace, [note('a1', { commentData: many(MANY) })]);
  await workspace.must(UPDATE, { ...PLACE, annotationIds: ['a1'], updatedData: huge });
  await workspace.must(`${COMMENTS}/delete`, ON);
  const events = await eventPayloads(workspace, 'comment.delete');
  expect(events).toHaveLength(MANY);
  expect(events[0].commentAnnotation).toMatchObject({
    annotationId: 'a1',
    annotationNumber: 1,
    type: 'comment',
  });
  expect(JSON.stringify(events).length).toBeLessThan(200_000);
});
