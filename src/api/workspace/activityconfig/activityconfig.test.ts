import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace } from '../../../../test/service/harness.ts';

const update = (workspace: TestWorkspace, activityServiceConfig: object) =>
  workspace.post('/v2/workspace/activityconfig/update', { activityServiceConfig });
const get = (workspace: TestWorkspace) => workspace.post('/v2/workspace/activityconfig/get');

test('a key without configuration logs nothing', async () => {
  const workspace = await newWorkspace();
  expect((await get(workspace)).body.result).toEqual({
    status: 'success',
    message: 'Activity logs configuration retrieved successfully.',
    data: { activityServiceConfig: { isEnabled: false } },
  });
});

test('enabling for the first time logs all comment events, immutably, by default', async () => {
  const workspace = await newWorkspace();
  const before = Date.now();
  const { body } = await update(workspace, {
    isEnabled: true,
    triggers: { comment: { 'comment.delete': false } },
  });
  const config = body.result.data.activityServiceConfig;
  expect(config).toMatchObject({
    isEnabled: true,
    immutable: true,
    triggers: {
      comment: { 'comment.add': true, 'comment.delete': false, 'comment_annotation.suggestion_accept': true },
    },
  });
  expect(config.enabledTime).toBeGreaterThanOrEqual(before);
  expect((await get(workspace)).body.result.data.activityServiceConfig).toEqual(config);
});

test('a change is merged, and re-enabling does not reset to the defaults', async () => {
  const workspace = await newWorkspace();
  await update(workspace, { isEnabled: true, immutable: false, enabledTime: 5 });
  await update(workspace, { isEnabled: false, triggers: { comment: { 'comment.add': false } } });
  const { body } = await update(workspace, { isEnabled: true, triggers: { custom: { x: true } } });
  expect(body.result.data.activityServiceConfig).toMatchObject({
    isEnabled: true,
    immutable: false,
    enabledTime: 5,
    triggers: { comment: { 'comment.add': false, 'comment.update': true }, custom: { x: true } },
  });
});

test('concurrent first changes are both kept', async () => {
  const workspace = await newWorkspace();
  await Promise.all([update(workspace, { immutable: false }), update(workspace, { enabledTime: 7 })]);
  expect((await get(workspace)).body.result.data.activityServiceConfig).toEqual({
    isEnabled: false,
    immutable: false,
    enabledTime: 7,
  });
});

test('a change without known fields is refused', async () => {
  const { status, body } = await update(await newWorkspace(), { other: 1 });
  expect([status, body.error.message]).toEqual([400, 'At least one field must be provided for update']);
});
