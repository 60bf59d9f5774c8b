import { expect, test } from 'vitest';
import { FairTurns, type Turn } from './fair-turns.ts';

const never = new AbortController().signal;

/** Asks for turns, and notes in `order` who gets them; each is held until `next` releases the oldest. */
function stage(turns: FairTurns) {
  const order: string[] = [];
  const held: Turn[] = [];
  const ask = (owner: string, weight = 1, signal = never) =>
    turns.take(owner, weight, signal).then(
      (turn) => {
        order.push(owner);
        held.push(turn);
      },
      () => order.push(`${owner} left`),
    );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const next = async () => {
    held.shift()!.release();
    await settle();
  };
  return { order, held, ask, settle, next };
}

test('one owner never holds all of the capacity, so that another begins at once', async () => {
  const { order, ask, settle } = stage(new FairTurns({ capacity: 4, perOwner: 3 }));
  for (let i = 0; i < 10; i++) void ask('a');
  await settle();
  void ask('b');
  await settle();
  expect(order).toEqual(['a', 'a', 'a', 'b']);
});

test('whoever waits longest in all has the next turn, and not whoever asks most', async () => {
  const { order, held, ask, settle, next } = stage(new FairTurns({ capacity: 1, perOwner: 1 }));
  for (let i = 0; i < 50; i++) void ask('a');
  await settle();
  for (let i = 0; i < 3; i++) void ask('b');
  for (let i = 0; i < 3; i++) void ask('c');
  while (held.length > 0 && order.length < 12) await next();
  const firstOf = (owner: string) => order.indexOf(owner);
  expect(Math.max(firstOf('b'), firstOf('c'))).toBeLessThanOrEqual(3);
  expect(order.filter((owner) => owner !== 'a')).toHaveLength(6);
});

test('turns that take long cost their owner the turns that others get meanwhile', async () => {
  const turns = new FairTurns({ capacity: 1, perOwner: 1 });
  const { order, held, ask, settle, next } = stage(turns);
  void ask('slow');
  await settle();
  const until = performance.now() + 40;
  while (performance.now() < until);
  for (let i = 0; i < 3; i++) void ask('slow');
  for (let i = 0; i < 5; i++) void ask('quick');
  while (held.length > 0 && order.length < 9) await next();
  expect(order.slice(1, 6)).toEqual(Array(5).fill('quick'));
});

test('the longer the turns of an owner take, the fewer it has at once while another asks', async () => {
  let now = 0;
  const turns = new FairTurns({ capacity: 16, perOwner: 12, now: () => now });
  const heldAtOnce = () => {
    const held: Turn[] = [];
    for (let turn = turns.tryTake('slow'); turn; turn = turns.tryTake('slow')) held.push(turn);
    now += 200;
    for (const turn of held) turn.release();
    return held.length;
  };
  expect(heldAtOnce()).toBe(12);
  // An owner without company has no other to give way to.
  expect(heldAtOnce()).toBe(12);
  turns.tryTake('quick')!.release();
  expect(heldAtOnce()).toBe(2);
  now += 2_000;
  expect(heldAtOnce()).toBe(12);
});

test('a heavy turn waits until there is room, and lighter ones do not pass it for ever', async () => {
  const { order, ask, settle, next } = stage(new FairTurns({ capacity: 4, perOwner: 4 }));
  for (let i = 0; i < 4; i++) void ask('a');
  await settle();
  void ask('heavy', 4);
  void ask('b');
  await next();
  await next();
  await next();
  expect(order).toEqual(['a', 'a', 'a', 'a']);
  await next();
  expect(order[4]).toBe('heavy');
  await next();
  expect(order[5]).toBe('b');
});

test('a turn heavier than all there is is granted alone', async () => {
  const turns = new FairTurns({ capacity: 2, perOwner: 2 });
  const turn = turns.tryTake('a', 10);
  expect(turn).toBeDefined();
  expect(turns.tryTake('b')).toBeUndefined();
  turn!.release();
  expect([turns.taken, turns.tryTake('b') !== undefined]).toEqual([0, true]);
});

test('those who leave hold up nobody, and a turn is given back only once', async () => {
  const turns = new FairTurns({ capacity: 1, perOwner: 1 });
  const { order, held, ask, settle, next } = stage(turns);
  const leaving = new AbortController();
  void ask('a');
  void ask('b', 1, leaving.signal);
  void ask('c');
  await settle();
  leaving.abort(new Error('gone'));
  await settle();
  const [first] = held;
  await next();
  first!.release();
  expect(order).toEqual(['a', 'b left', 'c']);
  expect([turns.taken, turns.waiting]).toEqual([1, 0]);
  await expect(turns.take('d', 1, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});
