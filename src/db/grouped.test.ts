import { expect, test } from 'vitest';
import { type Grouping, grouped } from './grouped.ts';
import type { Db } from './tables.ts';

interface Args {
  lane: string;
  id: string;
}
const database = { isTransaction: false } as Db;
const serverError = () => Object.assign(new Error('refused'), { severity: 'ERROR', code: '22000' });

/** A grouping whose statements of several members end when the test says so. */
function scripted(
  together: (many: readonly Args[]) => (string[] | undefined)[] = (many) => many.map(({ id }) => [id]),
) {
  const log: string[] = [];
  let release = Promise.withResolvers<void>();
  const grouping: Grouping<Args, string> = {
    laneOf: ({ lane }) => lane,
    keysOf: ({ id }) => [id],
    sizeOf: () => 10,
    async alone(_, { id }) {
      log.push(`alone ${id}`);
      if (id === 'first') await release.promise;
      if (id === 'bad') throw serverError();
      return [id];
    },
    together(_, many) {
      log.push(`together ${many.map(({ id }) => id).join(' ')}`);
      return Promise.resolve(together(many));
    },
  };
  const statement = grouped(grouping);
  const add = (id: string, lane = 'key') => statement({ lane, id }).run(database);
  return {
    log,
    add,
    statement,
    release() {
      release.resolve();
      release = Promise.withResolvers();
    },
  };
}

test('requests that arrive while a statement runs share the next one, and each gets its own rows', async () => {
  const { log, add, release } = scripted();
  const all = ['first', 'a', 'b', 'c'].map((id) => add(id));
  release();
  expect(await Promise.all(all)).toEqual([['first'], ['a'], ['b'], ['c']]);
  expect(log).toEqual(['alone first', 'together a b c']);
});

test('two lanes never share a statement', async () => {
  const { log, add, release } = scripted();
  const all = [add('first', 'mine'), add('a', 'mine'), add('b', 'other'), add('c', 'mine')];
  release();
  await Promise.all(all);
  expect(log).toEqual(['alone first', 'alone b', 'together a c']);
});

test('members with the same key are in different statements, and the later one is not overtaken', async () => {
  const { log, add, release } = scripted();
  const all = ['first', 'a', 'a', 'b'].map((id) => add(id));
  release();
  await Promise.all(all);
  expect(log).toEqual(['alone first', 'together a b', 'alone a']);
});

test('members that a shared statement leaves out run alone', async () => {
  const { log, add, release } = scripted((many) =>
    many.map(({ id }) => (id === 'locked' ? undefined : [`${id} of many`])),
  );
  const all = ['first', 'a', 'locked'].map((id) => add(id));
  release();
  expect(await Promise.all(all)).toEqual([['first'], ['a of many'], ['locked']]);
  expect(log).toEqual(['alone first', 'together a locked', 'alone locked']);
});

test('a shared statement that the server refuses is undone, so that each runs alone and fails alone', async () => {
  const { add, release } = scripted(() => {
    throw serverError();
  });
  const all = ['first', 'a', 'bad', 'c'].map((id) => add(id));
  release();
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test('nothing is written again if the outcome of a shared statement is unknown', async () => {
  const { log, add, release } = scripted(() => {
    throw new Error('Connection terminated unexpectedly');
  });
  const all = ['first', 'a', 'b'].map((id) => add(id));
  release();
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(log).toEqual(['alone first', 'together a b']);
});

test('a statement that waits for a lock does not hold up the others of its lane', async () => {
  const { add, release } = scripted();
  const first = add('first');
  expect(await Promise.all([add('a'), add('b')])).toEqual([['a'], ['b']]);
  release();
  expect(await first).toEqual(['first']);
});

test('within a transaction, a statement runs alone', async () => {
  const { log, statement } = scripted();
  const tx = { isTransaction: true } as Db;
  await Promise.all(['a', 'b'].map((id) => statement({ lane: 'key', id }).run(tx)));
  expect(log).toEqual(['alone a', 'alone b']);
});
