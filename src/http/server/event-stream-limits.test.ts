import { connect } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { newEventStage, organizationId, place } from '../../../test/live/event-stage.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { testApp } from '../../../test/service/harness.ts';
import { emitAll } from '../../events/emit.ts';
import { streamsEnded, streamsOpen, streamsRefused } from '../../realtime/feed/feed-metrics.ts';

test('streams are limited per user and per API key, and a closed one frees its slot', async () => {
  const stage = await newEventStage({ feed: { perUser: 2, perKey: 3 } });
  const { headers } = await newUserToken(stage.workspace, {});
  const another = await newUserToken(stage.workspace, { userId: 'bo' });
  const refusals = async () => {
    const { values } = await streamsRefused.get();
    return ['user', 'key'].map((reason) => values.find(({ labels }) => labels.reason === reason)?.value ?? 0);
  };
  const [ofUser, ofKey] = await refusals();
  const [first] = [await stage.open(headers), await stage.open(headers)];
  const refused = await stage.open(headers);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect((await stage.open(another.headers)).status).toBe(200);
  expect((await stage.open()).status).toBe(429);
  expect(await refusals()).toEqual([ofUser! + 1, ofKey! + 1]);
  first.close();
  await expect.poll(async () => (await stage.open(headers)).status).toBe(200);
  expect((await stage.open(headers)).status).toBe(429);
});

test('a client that stops reading is disconnected, and delays no other', async () => {
  const stage = await newEventStage({ feed: { slowMs: 4_000, lingerMs: 100 } });
  const { deps } = await testApp();
  const slow = async () =>
    (await streamsEnded.get()).values.find(({ labels }) => labels.reason === 'slow')?.value ?? 0;
  const before = await slow();
  const { pathname, search, port } = new URL(stage.url({ organizationId }));
  const socket = connect(Number(port), '127.0.0.1');
  const headers = Object.entries(stage.workspace.keyHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: x\r\n${headers.join('')}\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  onTestFinished(() => void socket.destroy());
  const client = await stage.open();
  const connections = () => promisify(stage.app.server.getConnections).call(stage.app.server);
  expect(await connections()).toBe(2);

  // More than the socket buffers of both sides can hold.
  const text = 'x'.repeat(100_000);
  for (let part = 0; part < 8; part++) {
    const some = Array.from({ length: 10 }, (_, index) => ({
      ...place,
      liveStateDataId: 'slide',
      data: { index: part * 10 + index, text },
    }));
    await deps.db.transaction().execute((tx) => emitAll(tx, stage.workspace, 'live_state.broadcast', some));
    await stage.relay();
  }
  const received = await stage.receivedBy(client);
  expect(received.map(({ data }) => data.data.index)).toEqual(
    Array.from({ length: 80 }, (_, index) => index),
  );
  await expect.poll(slow, { timeout: 300_000 }).toBe(before + 1);
  await expect.poll(connections, { timeout: 300_000 }).toBe(1);
});

test('a stop ends all streams with an event, and refuses new ones', async () => {
  expectLog(/The process is stopping/);
  const stage = await newEventStage();
  const open = (await streamsOpen.get()).values[0]!.value;
  const client = await stage.open();
  expect((await streamsOpen.get()).values[0]!.value).toBe(open + 1);
  await stage.feed.stop();
  await client.ended;
  expect(client.events).toEqual([{ id: expect.any(String), event: 'end', data: { reason: 'restart' } }]);
  expect((await stage.open()).status).toBe(503);
  expect((await streamsOpen.get()).values[0]!.value).toBe(open);
});
