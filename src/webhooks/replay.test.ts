import { expect, test } from 'vitest';
import { newWebhookStage } from '../../test/messages/webhook-stage.ts';
import { expectLog } from '../../test/run/log-watch.ts';

const soon = { timeout: 300_000, interval: 10 };

test.each(['first', 'last'])(
  'a replay of the %s waiting delivery of a document makes all of them due now',
  async (which) => {
    expectLog(/begins to fail.*answered 500/);
    await using stage = await newWebhookStage();
    const endpointId = await stage.endpoint('/away');
    stage.receiver.answer('/away', [{ status: 500 }, { status: 500 }]);
    await stage.change('d1', 'd1', 'd1');
    const tries = async () => (await stage.deliveries(endpointId)).map((row) => row.tries);
    await expect.poll(tries, soon).toEqual([1, 0, 0]);
    stage.advance(7_000);
    await expect.poll(tries, soon).toEqual([2, 0, 0]);
    const arePostponed = async () => {
      const rows = await stage.deliveries(endpointId);
      return rows.every(({ nextAt }) => nextAt > Date.now() + 60_000);
    };
    await expect.poll(arePostponed, soon).toBe(true);

    const rows = await stage.deliveries(endpointId);
    const replay = () =>
      stage.workspace.must('/v2/workspace/advancedwebhook/deliveries/replay', {
        endpointId,
        webhookId: rows.at(which === 'first' ? 0 : -1).messageId,
      });
    expect(await replay()).toEqual({ endpointId, replayed: 1 });
    stage.advance(0);
    const received = () => stage.receiver.at('/away').map(({ id }) => id);
    await expect.poll(() => received().slice(2), soon).toEqual(rows.map(({ messageId }) => messageId));
  },
);
