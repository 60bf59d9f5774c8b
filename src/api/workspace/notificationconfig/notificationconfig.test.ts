import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

const PATH = '/v2/workspace/notificationconfig';
const noBatch = { isEnabled: false, batchWindowSeconds: 10, maxActivities: 2 };
const defaults = {
  delayConfig: { isEnabled: false, delaySeconds: 10 },
  batchConfig: { document: noBatch, user: noBatch },
};

test('by default notifications are on, and mail is neither delayed nor grouped', async () => {
  const { body } = await (await newWorkspace()).post(`${PATH}/get`);
  expect(body.result.data).toEqual({ useNotificationService: true, notificationServiceConfig: defaults });
});

test('enabling selects all events, and sent settings are merged', async () => {
  const workspace = await newWorkspace();
  await workspace.must(`${PATH}/update`, {
    notificationServiceConfig: { batchConfig: { user: { maxActivities: 50 } } },
  });
  const { body } = await workspace.post(`${PATH}/update`, {
    useNotificationService: true,
    notificationServiceConfig: {
      triggers: { comment: { 'comment.add': false } },
      delayConfig: { isEnabled: true },
    },
  });
  expect(body.result.data).toMatchObject({
    useNotificationService: true,
    notificationServiceConfig: {
      triggers: {
        comment: { 'comment.add': false, 'comment_annotation.suggestion_accept': true },
        huddle: { 'huddle.join': true },
      },
      delayConfig: { isEnabled: true, delaySeconds: 10 },
      batchConfig: { document: noBatch, user: { ...noBatch, maxActivities: 50 } },
    },
  });
  expect(await workspace.must(`${PATH}/get`)).toEqual(body.result.data);
});

test('an empty update is refused', async () => {
  const { body } = await (await newWorkspace()).post(`${PATH}/update`, {});
  expect(body.error.message).toBe(
    'At least one of useNotificationService or notificationServiceConfig must be provided',
  );
});
