import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { randomJson, shared } from './fixtures/random-content.ts';
import { documentWith, exactContent, replicaOf, xmlText } from './fixtures/replicas.ts';
import { read, refusal, write } from './fixtures/writing.ts';
import type { ContentType } from './read-content.ts';
import { checkData } from './write-content.ts';

test('data must have the JSON type of its content type', () => {
  const values = ['', {}, [], null, undefined, 1, true];
  const accepted = { text: [''], xml: [''], map: [{}], array: [[]] } as Record<ContentType, unknown[]>;
  const messages = {
    text: 'Data must be a string for type text.',
    xml: 'Data must be a string for type xml.',
    map: 'Data must be an object for type map.',
    array: 'Data must be an array for type array.',
  };
  for (const type of ['text', 'xml', 'map', 'array'] as const) {
    for (const value of values) {
      const isAccepted = accepted[type].some(
        (candidate) => JSON.stringify(candidate) === JSON.stringify(value),
      );
      if (isAccepted) expect(() => checkData(type, value)).not.toThrow();
      else expect(refusal(new Y.Doc(), type, value)).toBe(messages[type]);
    }
  }
});

test('data nested deeper than a hundred levels is refused, and less deep data survives a round trip', () => {
  const nested = (levels: number) => {
    let value: unknown[] = [];
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  const doc = new Y.Doc();
  write(doc, 'array', nested(100));
  expect(read(doc, 'array')).toEqual(nested(100));
  expect(refusal(doc, 'array', nested(101))).toBe('Data is nested deeper than 100 levels.');
  expect(refusal(doc, 'array', nested(50_000))).toBe('Data is nested deeper than 100 levels.');
});

test('content that is too deep to be read is not changed', () => {
  let plain: unknown = 'deepest';
  for (let level = 0; level < 150; level++) plain = { a: plain };
  const message = 'This content is nested deeper than 100 levels.';
  const values = documentWith((made) => made.getMap('content').set('a', [plain]));
  expect(refusal(values, 'map', { ...(read(values, 'map') as object), b: 1 })).toBe(message);
  const types = documentWith((made) => made.getMap('content').set('a', shared([plain])));
  expect(refusal(replicaOf(types), 'map', { b: 1 })).toBe(message);
});

test('content of another type under the key is not changed', () => {
  const doc = replicaOf(documentWith((made) => made.getMap('content').set('a', 1)));
  expect(refusal(doc, 'text', 'x')).toBe('The content under contentKey "content" is of type map, not text.');
  expect(refusal(doc, 'array', [])).toBe('The content under contentKey "content" is of type map, not array.');
  const text = replicaOf(documentWith((made) => made.getText('content').insert(0, 'a')));
  expect(refusal(text, 'xml', '')).toBe('The content under contentKey "content" is of type text, not xml.');
  expect(refusal(text, 'map', {})).toBe('The content under contentKey "content" is of type text, not map.');
});

test('content that its type cannot have is not changed', () => {
  const doc = documentWith((made) => {
    made.getText('content').insert(0, 'a');
    Y.Array.prototype.insert.call(made.getText('content'), 1, [1]);
  });
  expect(refusal(replicaOf(doc), 'text', 'b')).toBe(
    'The content under contentKey "content" has parts that type text cannot express.',
  );
});

test('a key that the editor does not use is refused, with the keys that it does use', () => {
  const doc = documentWith((made) => {
    made.getText('default').insert(0, 'a');
    made.getMap('meta').set('a', 1);
    made.getText('cleared').insert(0, 'a');
    made.getText('cleared').delete(0, 1);
  });
  const copy = replicaOf(doc);
  expect(refusal(copy, 'text', 'x')).toBe(
    'There is nothing under contentKey "content": this editor keeps its content under "default", "meta".',
  );
  copy.getText('content');
  expect(refusal(copy, 'text', 'x')).toContain('"default", "meta"');
  write(copy, 'text', 'again', 'cleared');
  expect(copy.getText('cleared').toString()).toBe('again');
  const empty = new Y.Doc();
  write(empty, 'text', 'x', 'anything');
  expect(empty.getText('anything').toString()).toBe('x');
});

test('empty content can get another type, whatever class its root has', () => {
  const doc = documentWith((made) => {
    made.getText('content').insert(0, 'a');
    made.getText('content').delete(0, 1);
  });
  write(doc, 'map', { a: 1 });
  expect(read(doc, 'map')).toEqual({ a: 1 });
  expect(replicaOf(doc).getMap('content').toJSON()).toEqual({ a: 1 });
});

for (const [kind, toContent] of [
  ['shared types', (value: unknown) => shared(value)],
  ['shared types with plain texts', (value: unknown) => shared(value, false)],
  ['plain values', (value: unknown) => value],
] as const) {
  test(`maps and arrays survive a round trip, over ${kind}`, () => {
    const bothTypes = fc.oneof(
      fc.tuple(fc.constant('map' as const), randomJson.object, randomJson.object),
      fc.tuple(fc.constant('array' as const), randomJson.array, randomJson.array),
    );
    fc.assert(
      fc.property(bothTypes, ([type, before, after]) => {
        const made = documentWith((doc) => {
          if (type === 'array') doc.getArray('content').insert(0, before.map(toContent));
          else
            for (const [key, value] of Object.entries(before))
              doc.getMap('content').set(key, toContent(value));
        });
        const doc = replicaOf(made);
        expect(write(doc, type, before)).toEqual([]);
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        expect(write(doc, type, after).length).toBeLessThanOrEqual(isSame ? 0 : 1);
        expect(read(doc, type)).toStrictEqual(after);
        expect(read(replicaOf(doc), type)).toStrictEqual(after);
      }),
    );
  });
}

test('shared types within a map are changed in place, and new values are stored as plain JSON', () => {
  const inner = new Y.Map<unknown>([['title', new Y.Text('one two')]]);
  const list = Y.Array.from([new Y.Map([['id', 1]]), 'x']);
  const doc = documentWith((made) => {
    made.getMap('content').set('inner', inner);
    made.getMap('content').set('list', list);
    made.getMap('content').set('gone', 1);
    made.getMap('content').set('unseen', undefined);
  });
  const data = { inner: { title: 'one three two', more: { a: [1] } }, list: ['w', { id: 2 }, 'x'], n: null };
  write(doc, 'map', data);
  expect(read(doc, 'map')).toEqual(data);
  const content = doc.getMap('content');
  expect(content.get('inner')).toBe(inner);
  expect((inner.get('title') as Y.Text).toDelta()).toEqual([{ insert: 'one three two' }]);
  expect(inner.get('more')).toEqual({ a: [1] });
  expect(content.get('list')).toBe(list);
  expect(exactContent(list)).toEqual(['array', ['w', ['map', [['id', 2]]], 'x']]);
  expect([content.has('gone'), content.has('unseen')]).toEqual([false, true]);
});

test('unchanged items of an array are kept, and the most similar ones are changed', () => {
  const people = Array.from(
    { length: 30 },
    (_, id) =>
      new Y.Map<unknown>([
        ['id', id],
        ['name', `person ${id}`],
      ]),
  );
  const doc = documentWith((made) => made.getArray('content').insert(0, people));
  const data = (read(doc, 'array') as { id: number; name: string }[]).filter(
    ({ id }) => id !== 3 && id !== 4,
  );
  data.splice(10, 0, { id: 100, name: 'somebody' });
  data[20] = { ...data[20]!, name: 'renamed' };
  write(doc, 'array', data);
  expect(read(doc, 'array')).toEqual(data);
  const kept = doc.getArray('content').toArray();
  expect(people.filter((person) => !kept.includes(person)).map((person) => people.indexOf(person))).toEqual([
    3, 4,
  ]);
});

test('many changes in a long list of plain values are combined, and shared types are changed one by one', () => {
  const plainOnes = Array.from({ length: 20_000 }, (_, at) => at);
  const everyOther = plainOnes.filter((at) => at % 2 === 0 || at < 10 || at > 19_990);
  const doc = documentWith((made) => made.getArray('content').insert(0, plainOnes));
  write(doc, 'array', everyOther);
  expect(read(doc, 'array')).toEqual(everyOther);
  expect(Y.decodeUpdate(Y.encodeStateAsUpdate(doc)).structs.length).toBeLessThan(10);

  const items = plainOnes.slice(0, 1_000).map((at) => new Y.Map([['id', at]]));
  const other = documentWith((made) => made.getArray('content').insert(0, items));
  write(
    other,
    'array',
    (read(other, 'array') as object[]).filter((_, at) => at % 2 === 0),
  );
  expect(other.getArray('content').toArray()).toEqual(items.filter((_, at) => at % 2 === 0));
});

test('long lists are written even if they have little in common', () => {
  const numbers = (step: number) => Array.from({ length: 20_000 }, (_, at) => at * step);
  const doc = documentWith((made) => made.getArray('content').insert(0, numbers(1)));
  write(doc, 'array', numbers(2));
  expect(read(doc, 'array')).toEqual(numbers(2));
  write(
    doc,
    'array',
    numbers(1).map((value) => `v${value}`),
  );
  expect(read(doc, 'array')).toEqual(numbers(1).map((value) => `v${value}`));
});

test('a typed list works as before after a write', () => {
  const doc = new Y.Doc();
  const list = doc.getArray('content');
  // Inserted from the end, so that Yjs does not merge items.
  for (let at = 499; at >= 0; at--) list.insert(0, [at]);
  for (const place of [100, 250, 400]) list.get(place);
  list.insert(400, ['a position that Yjs caches']);
  write(
    doc,
    'array',
    Array.from({ length: 250 }, (_, at) => at * 2),
  );
  list.insert(200, ['here']);
  expect(list.toJSON().indexOf('here')).toBe(200);
  expect(replicaOf(doc).getArray('content').toJSON()).toEqual(list.toJSON());
});

test('characters that the database refuses are replaced before they are stored', () => {
  const doc = new Y.Doc();
  write(doc, 'map', { 'half \ud800': ['a\udc00', 'b\0'] });
  expect(Object.fromEntries(doc.getMap('content').entries())).toEqual({
    'half \ufffd': ['a\ufffd', 'b\ufffd'],
  });
});

test('an object with a key "constructor" can be stored', () => {
  const doc = new Y.Doc();
  const data = [{ constructor: 'x', a: { constructor: {} } }];
  write(doc, 'array', data);
  expect(read(doc, 'array')).toEqual(data);
});

test('XML within a map or an array is read as a string, and kept if that string is written back', () => {
  const doc = documentWith((made) => {
    const fragment = new Y.XmlFragment();
    fragment.insert(0, [xmlText('a & b')]);
    made.getMap('content').set('xml', fragment);
  });
  expect(read(doc, 'map')).toEqual({ xml: 'a &amp; b' });
  expect(write(doc, 'map', { xml: 'a &amp; b' })).toEqual([]);
  write(doc, 'map', { xml: 'c' });
  expect(doc.getMap('content').get('xml')).toBe('c');
});
