import { expect, test } from 'vitest';
import { FairTurns, type Turn } from './fair-turns.ts';

/**
 * Takes turns and records in `order` who gets them. `next` releases the oldest granted turn, one millisecond
 * after the previous one.
 */
function recordTurns(options: Omit<ConstructorParameters<typeof FairTurns>[0], 'now'>) {
  let now = 0;
  const turns = new FairTurns({ ...options, now: () => now });
  const pass = (ms: number) => {
    now += ms;
  };
  const order: string[] = [];
  const granted: Turn[] = [];
  const take = (owner: string, weight = 1) => {
    const place = turns.take(owner, weight);
    place.turn.then(
      (turn) => {
        order.push(owner);
        granted.push(turn);
      },
      (error: Error) => order.push(`${owner} ${error.message}`),
    );
    return place;
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const next = async () => {
    pass(1);
    granted.shift()!.release();
    await settle();
  };
  return { turns, order, granted, take, settle, next, pass };
}

test('one owner never holds the whole capacity, so another starts at once', async () => {
  const { order, take, settle } = recordTurns({ capacity: 4, perOwner: 3 });
  for (let i = 0; i < 10; i++) take('a');
  await settle();
  take('b');
  await settle();
  expect(order).toEqual(['a', 'a', 'a', 'b']);
});

test('the owner that has used the least time is next, not the one that asks most', async () => {
  const { order, granted, take, settle, next } = recordTurns({ capacity: 1, perOwner: 1 });
  for (let i = 0; i < 50; i++) take('a');
  await settle();
  for (let i = 0; i < 3; i++) take('b');
  for (let i = 0; i < 3; i++) take('c');
  while (granted.length > 0 && order.length < 12) await next();
  const firstOf = (owner: string) => order.indexOf(owner);
  expect(Math.max(firstOf('b'), firstOf('c'))).toBeLessThanOrEqual(3);
  expect(order.filter((owner) => owner !== 'a')).toHaveLength(6);
});

test('a long turn of one owner lets others go first', async () => {
  const { order, granted, take, settle, next, pass } = recordTurns({ capacity: 1, perOwner: 1 });
  take('slow');
  await settle();
  pass(40);
  for (let i = 0; i < 3; i++) take('slow');
  for (let i = 0; i < 5; i++) take('quick');
  while (granted.length > 0 && order.length < 9) await next();
  expect(order.slice(1, 6)).toEqual(Array(5).fill('quick'));
});

test('the longer the turns of an owner take, the fewer it holds at once while another owner waits', async () => {
  let now = 0;
  const turns = new FairTurns({ capacity: 16, perOwner: 12, contended: 8, minContended: 2, now: () => now });
  const takeAsManyAsPossible = () => {
    const granted: Turn[] = [];
    for (let turn = turns.tryTake('slow'); turn; turn = turns.tryTake('slow')) granted.push(turn);
    now += 200;
    for (const turn of granted) turn.release();
    return granted.length;
  };
  expect(takeAsManyAsPossible()).toBe(12);
  // There is no other owner to share with yet.
  expect(takeAsManyAsPossible()).toBe(12);
  turns.tryTake('quick')!.release();
  expect(takeAsManyAsPossible()).toBe(2);
  const light = turns.tryTake('quick')!;
  const heavy = turns.tryTake('quick', 7)!;
  expect(turns.tryTake('quick')).toBeUndefined();
  light.release();
  heavy.release();
  now += 2_000;
  expect(takeAsManyAsPossible()).toBe(12);
});

test('a lone owner gets more turns while they are short, but no longer once another owner asks', () => {
  const turns = new FairTurns({ capacity: 4, perOwner: 3, uncontended: 10, now: () => 0 });
  const takeAll = (name: string) => {
    const granted: Turn[] = [];
    for (let turn = turns.tryTake(name); turn; turn = turns.tryTake(name)) granted.push(turn);
    return granted;
  };
  const first = takeAll('one');
  expect(first).toHaveLength(10);
  // The other owner waits for these turns only once.
  expect(turns.tryTake('other')).toBeUndefined();
  for (const turn of first) turn.release();
  expect(takeAll('one')).toHaveLength(3);
  expect(takeAll('other')).toHaveLength(1);
});

test('a lone owner gets no more turns if they are long', () => {
  let now = 0;
  const turns = new FairTurns({ capacity: 4, perOwner: 3, uncontended: 10, now: () => now });
  for (let i = 0; i < 20; i++) {
    const turn = turns.tryTake('one')!;
    now += 2_000;
    turn.release();
  }
  const turnsOrNone = Array.from({ length: 10 }, () => turns.tryTake('one'));
  expect(turnsOrNone.filter((turn) => turn !== undefined)).toHaveLength(3);
});

test('a heavy turn waits for room, and lighter turns do not overtake it forever', async () => {
  const { order, take, settle, next } = recordTurns({ capacity: 4, perOwner: 4 });
  for (let i = 0; i < 4; i++) take('a');
  await settle();
  take('heavy', 4);
  take('b');
  await next();
  await next();
  await next();
  expect(order).toEqual(['a', 'a', 'a', 'a']);
  await next();
  expect(order[4]).toBe('heavy');
  await next();
  expect(order[5]).toBe('b');
});

test('a turn heavier than the capacity is granted alone', async () => {
  const turns = new FairTurns({ capacity: 2, perOwner: 2 });
  const turn = turns.tryTake('a', 10);
  expect(turn).toBeDefined();
  expect(turns.tryTake('b')).toBeUndefined();
  turn!.release();
  expect([turns.taken, turns.tryTake('b') !== undefined]).toEqual([0, true]);
});

test('an owner that leaves the queue blocks no other, and releasing a turn twice has no effect', async () => {
  const { turns, order, granted, take, settle, next } = recordTurns({ capacity: 1, perOwner: 1 });
  const first = take('a');
  const second = take('b');
  take('c');
  await settle();
  first.leave(new Error('left'));
  second.leave(new Error('left'));
  await settle();
  const [turn] = granted;
  await next();
  turn!.release();
  expect(order).toEqual(['a', 'b left', 'c']);
  expect([turns.taken, turns.waiting]).toEqual([1, 0]);
});
