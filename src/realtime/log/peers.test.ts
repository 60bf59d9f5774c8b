import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createBusHub } from '../../../test/fakes/bus-hub.ts';
import { until } from '../../../test/live-node.ts';
import { createPeers } from './peers.ts';

const everyMs = 20;

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

test('a process that falls silent is missed, and one that takes leave is not', async () => {
  const { hub, lost, peers } = watch();
  const bus = hub.join();
  const other = createPeers({ bus, everyMs, onLost: () => {} });
  await pause(5 * everyMs);
  expect([lost(), peers.isDoubtful()]).toEqual([0, false]);
  await other.stop();
  await pause(6 * everyMs);
  expect(lost()).toBe(0);
  const dying = hub.join();
  const third = createPeers({ bus: dying, everyMs, onLost: () => {} });
  onTestFinished(() => third.stop());
  await pause(3 * everyMs);
  dying.publish = async () => {};
  await until(() => peers.isDoubtful(), 'a doubt');
  await until(() => lost() === 1, 'the loss to be noticed');
  expect(peers.isDoubtful()).toBe(false);
});

test('while messages do not go through, nobody is missed', async () => {
  const { hub, lost } = watch();
  const other = watch(hub);
  await pause(3 * everyMs);
  hub.cut();
  await pause(8 * everyMs);
  hub.heal();
  await pause(3 * everyMs);
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
  await until(() => one.count() === 2 && other.count() === 2, 'both to know of each other');
  await other.stop();
  await until(() => one.count() === 1, 'the one that left to be gone');
});
