import { expect, test } from 'vitest';
import { FairTurns, type Turn } from './fair-turns.ts';

/**
 * Asks for turns, and notes in `order` who gets them; each is held until `next` releases the oldest, a millisecond
 * after the one before.
 */
function stage(options: Omit<ConstructorParameters<typeof FairTurns>[0], 'now'>) {
  let now = 0;
  const turns = new FairTurns({ ...options, now: () => now });
  const pass = (ms: number) => {
    now += ms;
  };
  const order: string[] = [];
  const held: Turn[] = [];
  const ask = (owner: string, weight = 1) => {
    const place = turns.take(owner, weight);
    place.turn.then(
      (turn) => {
        order.push(owner);
        held.push(turn);
      },
      (error: Error) => order.push(`${owner} ${error.message}`),
    );
    return place;
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const next = async () => {
    pass(1);
    held.shift()!.release();
    await settle();
  };
  return { turns, order, held, ask, settle, next, pass };
}

test('one owner never holds all of the capacity, so that another begins at once', async () => {
  const { order, ask, settle } = stage({ capacity: 4, perOwner: 3 });
  for (let i = 0; i < 10; i++) ask('a');
  await settle();
  ask('b');
  await settle();
  expect(order).toEqual(['a', 'a', 'a', 'b']);
});

test('the owner that has had the least time goes next, and not the one that asks most', async () => {
  const { order, held, ask, settle, next } = stage({ capacity: 1, perOwner: 1 });
  for (let i = 0; i < 50; i++) ask('a');
  await settle();
  for (let i = 0; i < 3; i++) ask('b');
  for (let i = 0; i < 3; i++) ask('c');
  while (held.length > 0 && order.length < 12) await next();
  const firstOf = (owner: string) => order.indexOf(owner);
  expect(Math.max(firstOf('b'), firstOf('c'))).toBeLessThanOrEqual(3);
  expect(order.filter((owner) => owner !== 'a')).toHaveLength(6);
});

test('turns that take long cost their owner the turns that others get meanwhile', async () => {
  const { order, held, ask, settle, next, pass } = stage({ capacity: 1, perOwner: 1 });
  ask('slow');
  await settle();
  pass(40);
  for (let i = 0; i < 3; i++) ask('slow');
  for (let i = 0; i < 5; i++) ask('quick');
  while (held.length > 0 && order.length < 9) await next();
  expect(order.slice(1, 6)).toEqual(Array(5).fill('quick'));
});

test('the longer the turns of an owner take, the fewer it has at once while another asks', async () => {
  let now = 0;
  const turns = new FairTurns({ capacity: 16, perOwner: 12, contended: 8, minContended: 2, now: () => now });
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
  const light = turns.tryTake('quick')!;
  const heavy = turns.tryTake('quick', 7)!;
  expect(turns.tryTake('quick')).toBeUndefined();
  light.release();
  heavy.release();
  now += 2_000;
  expect(heldAtOnce()).toBe(12);
});

test('an owner alone has more turns while they are short, and no more once another asks', () => {
  const turns = new FairTurns({ capacity: 4, perOwner: 3, uncontended: 10, now: () => 0 });
  const takeAll = (name: string) => {
    const held: Turn[] = [];
    for (let turn = turns.tryTake(name); turn; turn = turns.tryTake(name)) held.push(turn);
    return held;
  };
  const first = takeAll('one');
  expect(first).toHaveLength(10);
  // It waits for those turns, once.
  expect(turns.tryTake('other')).toBeUndefined();
  for (const turn of first) turn.release();
  expect(takeAll('one')).toHaveLength(3);
  expect(takeAll('other')).toHaveLength(1);
});

test('an owner alone has no more turns where they are long', () => {
  let now = 0;
  const turns = new FairTurns({ capacity: 4, perOwner: 3, uncontended: 10, now: () => now });
  for (let i = 0; i < 20; i++) {
    const turn = turns.tryTake('one')!;
    now += 2_000;
    turn.release();
  }
  const taken = Array.from({ length: 10 }, () => turns.tryTake('one'));
  expect(taken.filter((turn) => turn !== undefined)).toHaveLength(3);
});

test('a heavy turn waits until there is room, and lighter ones do not pass it for ever', async () => {
  const { order, ask, settle, next } = stage({ capacity: 4, perOwner: 4 });
  for (let i = 0; i < 4; i++) ask('a');
  await settle();
  ask('heavy', 4);
  ask('b');
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

test('an owner that leaves the line holds up no other, and a turn is given back only once', async () => {
  const { turns, order, held, ask, settle, next } = stage({ capacity: 1, perOwner: 1 });
  const first = ask('a');
  const second = ask('b');
  ask('c');
  await settle();
  first.leave(new Error('left'));
  second.leave(new Error('left'));
  await settle();
  const [turn] = held;
  await next();
  turn!.release();
  expect(order).toEqual(['a', 'b left', 'c']);
  expect([turns.taken, turns.waiting]).toEqual([1, 0]);
});
