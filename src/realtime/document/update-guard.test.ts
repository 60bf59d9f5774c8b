import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyUpdate,
  createDocFromSnapshot,
  Doc,
  diffUpdate,
  encodeStateAsUpdate,
  encodeStateAsUpdateV2,
  encodeStateVector,
  encodeStateVectorFromUpdate,
  mergeUpdates,
  snapshot,
  UndoManager,
  XmlElement,
  XmlText,
  Array as YArray,
  Map as YMap,
} from 'yjs';
import { rounds } from '../../../test/run/rounds.ts';
import { defaultLimits } from '../protocol/realtime-limits.ts';
import { checkUpdate } from './update-guard.ts';

const check = (document: Doc, update: Uint8Array, deleted: number[] = []) =>
  checkUpdate({ document: document as never, deletedClients: new Set(deleted) }, update, defaultLimits);

/** A random change of a document. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('type'), at: fc.nat(20), text: fc.string({ maxLength: 6 }) }),
  fc.record({ kind: fc.constant('cut'), at: fc.nat(20), text: fc.string({ maxLength: 6 }) }),
  fc.record({ kind: fc.constant('map'), at: fc.nat(3), text: fc.string({ maxLength: 4 }) }),
  fc.record({ kind: fc.constant('list'), at: fc.nat(3), text: fc.string({ maxLength: 4 }) }),
  fc.record({ kind: fc.constant('xml'), at: fc.nat(3), text: fc.string({ maxLength: 4 }) }),
);

function applyChange(document: Doc, { kind, at, text }: { kind: string; at: number; text: string }): void {
  const content = document.getText('content');
  if (kind === 'type') content.insert(Math.min(at, content.length), text);
  else if (kind === 'cut')
    content.delete(Math.min(at, content.length), Math.min(2, Math.max(0, content.length - at)));
  else if (kind === 'map') {
    const map = document.getMap('map');
    const inner = map.get(`k${at}`);
    if (inner instanceof YMap) inner.set(text, new YArray());
    else map.set(`k${at}`, new YMap());
  } else if (kind === 'list') document.getArray('list').insert(0, [text, new YMap([[text, new YArray()]])]);
  else {
    const fragment = document.getXmlFragment('xml');
    const paragraph = new XmlElement('p');
    paragraph.insert(0, [new XmlText(text)]);
    fragment.insert(Math.min(at, fragment.length), [paragraph]);
    if (fragment.length > 3) fragment.delete(0, 1);
  }
}

test('any edit passes the guard, one update at a time and all at once', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), change), { maxLength: 30 }), (changes) => {
      const server = new Doc();
      const [ada, bo] = [new Doc(), new Doc()];
      for (const client of [ada, bo]) {
        client.on('update', (update: Uint8Array, origin: unknown) => {
          if (origin === 'server') return;
          expect(check(server, update)).toBeUndefined();
          applyUpdate(server, update);
        });
      }
      for (const [isAda, one] of changes) {
        applyChange(isAda ? ada : bo, one);
        // Bo receives changes of others late.
        applyUpdate(ada, encodeStateAsUpdate(server, encodeStateVector(ada)), 'server');
      }
      expect(check(new Doc(), encodeStateAsUpdate(server))).toBeUndefined();
      applyUpdate(bo, encodeStateAsUpdate(server), 'server');
      expect(encodeStateVector(server)).toEqual(encodeStateVector(bo));
    }),
    { numRuns: rounds(50, 200, 'FUZZ_RUNS') },
  );
});

test('updates that Yjs derives pass the guard: merged, as differences, undone, with gaps and from snapshots', () => {
  const changes = fc.array(fc.tuple(change, fc.constantFrom('do', 'undo', 'redo'), fc.boolean()), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.boolean(), changes, (gc, steps) => {
      const document = new Doc({ gc });
      const history = new UndoManager(
        [
          document.getText('content'),
          document.getMap('map'),
          document.getArray('list'),
          document.getXmlFragment('xml'),
        ],
        { captureTimeout: 1_000_000 },
      );
      const updates: Uint8Array[] = [];
      document.on('update', (update: Uint8Array) => updates.push(update));
      const passes = (update: Uint8Array) => expect(check(new Doc(), update)).not.toBe('malformed');
      const late = new Doc();
      for (const [one, how, isHeard] of steps) {
        const known = updates.length;
        if (how === 'do') {
          document.transact(() => {
            applyChange(document, one);
            applyChange(document, { ...one, kind: 'cut' });
          });
        } else history[how]();
        if (one.at % 5 === 0) history.stopCapturing();
        if (isHeard) for (const update of updates.slice(known)) applyUpdate(late, update);
      }
      const whole = encodeStateAsUpdate(document);
      const some = updates.filter((_, at) => steps[at % steps.length]![2]);
      for (const update of updates) passes(update);
      for (const several of [updates, some, [...updates].reverse(), [whole, ...some]])
        if (several.length > 0) passes(mergeUpdates(several));
      for (const update of [...some, encodeStateAsUpdate(late)])
        passes(diffUpdate(whole, encodeStateVectorFromUpdate(update)));
      passes(encodeStateAsUpdate(late));
      if (!gc) passes(encodeStateAsUpdate(createDocFromSnapshot(document, snapshot(document))));
    }),
    { numRuns: rounds(50, 200, 'FUZZ_RUNS') },
  );
});

test.each([
  ['are the same', [1, 7, 3, 0, 5, 0, 5, 0, 5]],
  ['overlap', [1, 7, 2, 0, 5, 4, 5]],
  ['descend', [1, 7, 2, 6, 2, 0, 5]],
  ['are listed twice for a client', [2, 7, 1, 0, 5, 7, 1, 0, 5]],
  ['are empty', [1, 7, 1, 3, 0]],
])('deletions that %s are refused', (_, deletions) => {
  expect(check(new Doc(), new Uint8Array([0, ...deletions]))).toBe('malformed');
});

test('ascending deletions pass, even adjacent ones and those of several clients', () => {
  expect(check(new Doc(), new Uint8Array([0, 2, 7, 3, 0, 5, 5, 1, 9, 2, 3, 1, 0, 5]))).toBeUndefined();
});

test('a document survives any corruption of an update’s bytes', () => {
  const document = new Doc();
  for (const kind of ['type', 'map', 'map', 'list', 'xml', 'cut'])
    applyChange(document, { kind, at: 0, text: 'hello' });
  document.clientID = 1;
  applyChange(document, { kind: 'type', at: 1, text: 'more' });
  const good = encodeStateAsUpdate(document);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 8 }),
      fc.nat(good.length),
      (edits, length) => {
        const bad = good.slice(0, Math.max(2, length));
        for (const [at, value] of edits) if (at < bad.length) bad[at] = value;
        const server = new Doc();
        if (check(server, bad) === undefined) {
          try {
            applyUpdate(server, bad);
          } catch {
            // Very few updates get this far; the engine closes the connection that sent one.
          }
        }
        const next = new Doc();
        next.getText('next').insert(0, 'goes on');
        applyUpdate(server, encodeStateAsUpdate(next));
        const copy = new Doc();
        applyUpdate(copy, encodeStateAsUpdate(server));
        expect(copy.getText('next').toString()).toBe('goes on');
        server.destroy();
      },
    ),
    { numRuns: rounds(1000, 4_000, 'FUZZ_RUNS') },
  );
});

test('random bytes are checked without an exception or a hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 200 }), (bytes) => {
      const server = new Doc();
      if (check(server, bytes) === undefined) applyUpdate(server, bytes);
      server.destroy();
    }),
    { numRuns: rounds(750, 3_000, 'FUZZ_RUNS') },
  );
});

test('updates in the second encoding are refused, whatever their content', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 10 }), (changes) => {
      const document = new Doc();
      for (const one of changes) applyChange(document, one);
      fc.pre(document.store.clients.size > 0);
      expect(check(new Doc(), encodeStateAsUpdateV2(document))).toBe('malformed');
    }),
    { numRuns: rounds(50, 200, 'FUZZ_RUNS') },
  );
});

test('a type in a container that was deleted meanwhile passes', () => {
  const [ada, bo, server] = [new Doc(), new Doc(), new Doc()];
  const outer = new YMap();
  ada.getMap('content').set('a', outer);
  for (const other of [bo, server]) applyUpdate(other, encodeStateAsUpdate(ada));
  ada.getMap('content').delete('a');
  applyUpdate(server, encodeStateAsUpdate(ada));
  (bo.getMap('content').get('a') as YMap<unknown>).set('in', new YMap());
  const update = encodeStateAsUpdate(bo, encodeStateVector(server));
  expect(check(server, update)).toBeUndefined();
});

test('an update that depends on a later one of its own client is refused', () => {
  const document = new Doc();
  document.clientID = 5;
  document.getText('content').insert(0, 'x');
  document.getText('content').insert(1, 'y');
  const update = encodeStateAsUpdate(document);
  // One struct of client 5, beyond its own clock 7.
  const ahead = new Uint8Array([1, 1, 5, 0, 0x84, 5, 7, 1, 120, 0]);
  expect(check(new Doc(), update)).toBeUndefined();
  expect(check(new Doc(), ahead)).toBe('malformed');
});

test('every update of a client that wrote in a deleted editor is recognized', () => {
  const document = new Doc();
  document.getText('content').insert(0, 'x');
  const update = encodeStateAsUpdate(document);
  expect(check(new Doc(), update, [document.clientID])).toBe('deleted');
  expect(check(new Doc(), update, [document.clientID + 1])).toBeUndefined();
});
