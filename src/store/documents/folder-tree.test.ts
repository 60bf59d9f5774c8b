import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KnownAncestors, type NewParents, refuseLoops, topmost } from './folder-tree.ts';

/** A forest of eight folders, and a change that moves some of them. */
const change = fc.record({
  parents: fc.tuple(...Array.from({ length: 8 }, (_, index) => fc.integer({ min: -1, max: index - 1 }))),
  moves: fc.dictionary(fc.integer({ min: 0, max: 7 }).map(String), fc.integer({ min: -1, max: 7 }), {
    maxKeys: 5,
  }),
});

const nameOf = (index: number): string | null => (index < 0 ? null : `f${index}`);

test('loops and topmost folders are those that a walk up the resulting tree finds', () => {
  fc.assert(
    fc.property(change, ({ parents, moves }) => {
      const before = new Map(parents.map((parent, index) => [`f${index}`, nameOf(parent)]));
      const placed: NewParents = new Map(Object.entries(moves).map(([at, to]) => [`f${at}`, nameOf(to)]));
      const after = new Map([...before, ...placed]);
      const above = (tree: Map<string, string | null>, id: string): string[] | undefined => {
        const way: string[] = [];
        for (let at = tree.get(id) ?? null; at !== null; at = tree.get(at) ?? null) {
          if (at === id || way.includes(at)) return undefined;
          way.push(at);
        }
        return way;
      };
      const settled: KnownAncestors = new Map(
        [...before.keys()].map((id) => [id, above(before, id)!.reverse()]),
      );
      const loops = [...after.keys()].some((id) => above(after, id) === undefined);
      if (loops) {
        expect(() => refuseLoops(placed, settled)).toThrow('cannot lie in itself');
        return;
      }
      refuseLoops(placed, settled);
      expect(topmost(placed, settled)).toEqual(
        [...placed.keys()].filter((id) => !above(after, id)!.some((other) => placed.has(other))),
      );
    }),
  );
});
