import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyUpdate, Doc, encodeStateAsUpdate, mergeUpdates } from 'yjs';
import { growBlock, randomBlocks } from '../edit/fixtures/random-content.ts';
import { exactContent, replicaOf, stateOf, synchronize } from '../edit/fixtures/replicas.ts';
import { sliceUpdate } from './slice-update.ts';

const limits = { structs: 2, length: 10, ranges: 1 };

/** Edits of several clients in turn, each building on the others. */
const edits = fc.array(fc.record({ who: fc.nat(2), at: fc.nat(), drop: fc.nat(3), blocks: randomBlocks() }), {
  minLength: 1,
  maxLength: 8,
});

function edited(steps: { who: number; at: number; drop: number; blocks: unknown[] }[]): Doc {
  const documents = [new Doc(), new Doc(), new Doc()];
  for (const { who, at, drop, blocks } of steps) {
    const document = documents[who]!;
    const fragment = document.getXmlFragment('content');
    const place = at % (fragment.length + 1);
    fragment.delete(place, Math.min(drop, fragment.length - place));
    fragment.insert(place, (blocks as never[]).map(growBlock));
    for (const other of documents) if (other !== document) synchronize(document, other);
  }
  return documents[0]!;
}

test('slices of an update have its effect, and none depends on a later one', () => {
  fc.assert(
    fc.property(edits, (steps) => {
      const document = edited(steps);
      const copy = new Doc();
      for (const slice of sliceUpdate(encodeStateAsUpdate(document), limits)) {
        applyUpdate(copy, slice);
        expect(copy.store.pendingStructs).toBeNull();
        expect(copy.store.pendingDs).toBeNull();
      }
      expect(stateOf(copy)).toEqual(stateOf(document));
      const exact = (doc: Doc) => exactContent(replicaOf(doc).getXmlFragment('content'));
      expect(exact(copy)).toEqual(exact(document));
    }),
  );
});

test('slices of an update keep its missing dependencies', () => {
  const [one, two] = [new Doc(), new Doc()];
  const updates: Uint8Array[] = [];
  one.on('update', (update: Uint8Array) => updates.push(update));
  for (const word of ['first ', 'second ', 'third ']) one.getText('content').insert(0, word);
  // The second update is missing.
  const merged = mergeUpdates([updates[0]!, updates[2]!]);
  for (const slice of sliceUpdate(merged, limits)) applyUpdate(two, slice);
  expect(two.getText('content').toString()).toBe('first ');
  applyUpdate(two, updates[1]!);
  expect(two.getText('content').toString()).toBe('third second first ');
});
