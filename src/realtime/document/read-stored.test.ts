import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Doc, encodeStateAsUpdate } from 'yjs';
import { sharedContentPool } from './content-pool.ts';
import { compactedState, storedJson } from './read-stored.ts';

const large = () => {
  const document = new Doc();
  document.getText('content').insert(0, 'x'.repeat(200_000));
  return { snapshot: encodeStateAsUpdate(document), updates: null };
};

test('a read of large content begins when a thread starts it, not while it waits', async () => {
  const read = vi.fn<() => void>();
  const compacted = vi.fn<() => void>();
  const declared = { type: 'text' as const, contentKey: 'content' };
  const isBusy = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  // Occupies all threads of one owner.
  const before = Array.from({ length: 4 }, () =>
    sharedContentPool().run<'writers'>('greedy', async () => {
      isBusy.resolve();
      await mayGoOn.promise;
      return { name: 'writers', stored: large() };
    }),
  );
  const after = [storedJson('greedy', large(), declared, read), compactedState('greedy', large(), compacted)];
  await isBusy.promise;
  await setImmediate();
  expect(read).not.toHaveBeenCalled();
  expect(compacted).not.toHaveBeenCalled();
  mayGoOn.resolve();
  await Promise.all([...before, ...after]);
  expect(read).toHaveBeenCalledOnce();
  expect(compacted).toHaveBeenCalledOnce();
});

test('small content needs no thread', async () => {
  const begin = vi.fn<() => void>();
  const document = new Doc();
  document.getText('content').insert(0, 'x');
  const stored = { snapshot: encodeStateAsUpdate(document), updates: null };
  expect(await storedJson('a', stored, { type: 'text', contentKey: 'content' }, begin)).toBe('x');
  expect(begin).not.toHaveBeenCalled();
});
