import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createBusHub } from '../../../test/fakes/bus-hub.ts';
import { createPeers } from './peers.ts';

const everyMs = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

/** Advances the time by this many heartbeats, and delivers them. */
async function pass(heartbeats: number) {
  for (let count = 0; count < heartbeats * 4; count++) {
    vi.advanceTimersByTime(everyMs / 4);
    await nextTurn();
    await nextTurn();
  }
}

function watch(hub = createBusHub()) {
  let lost = 0;
  const peers = createPeers({
    bus: hub.join(),
    everyMs,
    onLost: () => {
      lost += 1;
    },
  });
  onTestFinished(() => peers.stop());
  return { hub, peers, lost: () => lost };
}

test('a process whose heartbeat stops is lost, and one that stops regularly is not', async () => {
  const { hub, lost, peers } = watch();
  const other = createPeers({ bus: hub.join(), everyMs, onLost: () => {} });
  await pass(5);
  expect([lost(), peers.isDoubtful()]).toEqual([0, false]);
  await other.stop();
  await pass(6);
  expect(lost()).toBe(0);
  const dying = hub.join();
  const third = createPeers({ bus: dying, everyMs, onLost: () => {} });
  onTestFinished(() => third.stop());
  await pass(3);
  dying.publish = async () => {};
  await pass(2);
  expect([lost(), peers.isDoubtful()]).toEqual([0, true]);
  await pass(3);
  expect([lost(), peers.isDoubtful()]).toEqual([1, false]);
});

test('no process is lost during a partition of the bus', async () => {
  const { hub, lost } = watch();
  const other = watch(hub);
  await pass(3);
  hub.cut();
  await pass(8);
  hub.heal();
  await pass(3);
  expect([lost(), other.lost()]).toEqual([0, 0]);
});

test('processes of one channel count each other, and none of another channel', async () => {
  const hub = createBusHub();
  const join = (channel: string) => {
    const peers = createPeers({ bus: hub.join(), channel, everyMs });
    onTestFinished(() => peers.stop());
    return peers;
  };
  const [one, other] = [join('api'), join('api')];
  join('worker');
  await pass(2);
  expect([one.count(), other.count()]).toEqual([2, 2]);
  await other.stop();
  await pass(1);
  expect(one.count()).toBe(1);
});
