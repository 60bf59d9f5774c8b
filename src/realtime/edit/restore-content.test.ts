import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { rounds } from '../../../test/run/rounds.ts';
import { growBlock, randomBlocks, randomJson, randomText, shared } from './fixtures/random-content.ts';
import { documentWith, element, exactContent, replicaOf, updatesOf, xmlText } from './fixtures/replicas.ts';
import { bytes } from './fixtures/writing.ts';
import { restoreContent } from './restore-content.ts';

type Root = 'text' | 'map' | 'array' | 'xml';

const ROOTS: Record<Root, (doc: Y.Doc) => Y.Map<unknown> | Y.Array<unknown> | Y.Text | Y.XmlFragment> = {
  text: (doc) => doc.getText('text'),
  map: (doc) => doc.getMap('map'),
  array: (doc) => doc.getArray('array'),
  xml: (doc) => doc.getXmlFragment('xml'),
};

const everything = (doc: Y.Doc) => {
  const copy = replicaOf(doc);
  return Object.values(ROOTS).map((root) => exactContent(root(copy)));
};

const FORMATS = [{}, { bold: true }, { link: { href: 'a', more: [1] } }, { bold: {}, color: 'red' }];
const randomRuns = fc.array(
  fc.tuple(randomText, fc.constantFrom(...FORMATS), fc.constantFrom('', 'object', 'type')),
  {
    maxLength: 4,
  },
);

const randomParts = fc.record({
  runs: randomRuns,
  map: randomJson.object,
  array: randomJson.array,
  xml: randomBlocks(),
});

type Parts = typeof randomParts extends fc.Arbitrary<infer T> ? T : never;

/** Creates a document with all types, and objects embedded in its text. */
const grow = ({ runs, map, array, xml }: Parts): Y.Doc =>
  replicaOf(
    documentWith((doc) => {
      const text = doc.getText('text');
      for (const [part, attributes, embed] of runs) {
        text.insert(text.length, part, { ...attributes });
        const embedded = embed === 'type' ? new Y.Map([['a', part]]) : { src: part };
        if (embed) text.insertEmbed(text.length, embedded, { ...attributes });
      }
      for (const [key, value] of Object.entries(map)) doc.getMap('map').set(key, shared(value));
      doc.getArray('array').insert(
        0,
        array.map((item, at) => (at % 2 ? shared(item) : item)),
      );
      doc.getXmlFragment('xml').insert(0, xml.map(growBlock));
    }),
  );

test('restoring copies a document exactly, in one update, or in none if both are equal', () => {
  fc.assert(
    fc.property(randomParts, randomParts, (before, after) => {
      const [doc, from] = [grow(before), grow(after)];
      const isSame = JSON.stringify(everything(doc)) === JSON.stringify(everything(from));
      const updates = updatesOf(doc, () => restoreContent(doc, from));
      expect(updates.length).toBe(isSame ? 0 : 1);
      expect(everything(doc)).toEqual(everything(from));
      expect(updatesOf(doc, () => restoreContent(doc, replicaOf(from)))).toEqual([]);
    }),
    { numRuns: rounds(50, 200, 'FUZZ_RUNS') },
  );
});

test('restoring an earlier state changes only what has changed since', () => {
  const paragraphs = Array.from({ length: 200 }, (_, at) => element('p', { level: at }, `Paragraph ${at}.`));
  const doc = documentWith((made) => {
    made.getXmlFragment('xml').insert(0, paragraphs);
    made.getMap('map').set('text', new Y.Text('one two'));
  });
  const saved = replicaOf(doc);
  const text = doc.getMap('map').get('text') as Y.Text;
  text.insert(3, ' and');
  text.format(0, 3, { bold: true });
  doc.getXmlFragment('xml').delete(50, 1);
  paragraphs[10]!.setAttribute('level', '10');
  (paragraphs[20]!.get(0) as Y.XmlText).delete(0, 5);
  const updates = updatesOf(doc, () => restoreContent(doc, saved));
  expect(bytes(updates)).toBeLessThan(250);
  expect(everything(doc)).toEqual(everything(saved));
  expect(doc.getMap('map').get('text')).toBe(text);
});

test('a text of only formatted embedded types is restored', () => {
  const from = documentWith((made) =>
    made.getText('text').insertEmbed(0, new Y.Map([['a', 1]]), { bold: true, color: 'red' }),
  );
  const doc = new Y.Doc();
  restoreContent(doc, replicaOf(from));
  expect(everything(doc)).toEqual(everything(from));
});

test('attributes of texts are restored in the existing texts', () => {
  const [first, second] = [xmlText('a'), xmlText('b')];
  first.setAttribute('kind', 'one');
  const doc = documentWith((made) => made.getXmlFragment('xml').insert(0, [first, second]));
  const saved = replicaOf(doc);
  first.setAttribute('kind', 'two');
  second.setAttribute('kind', 'new');
  restoreContent(doc, saved);
  expect(everything(doc)).toEqual(everything(saved));
  expect(doc.getXmlFragment('xml').toArray()).toEqual([first, second]);
});

test('a type in a map or an attribute is replaced by a type of another kind or name', () => {
  const kinds = () => [
    new Y.Text('a'),
    xmlText('a'),
    element('a', {}, 'a'),
    element('b', {}, 'a'),
    new Y.XmlHook('a'),
    new Y.XmlHook('b'),
    Y.Array.from(['a']),
    new Y.Map([['a', 1]]),
    'a',
  ];
  for (const before of kinds().keys()) {
    for (const after of kinds().keys()) {
      const [doc, from] = [before, after].map((at) =>
        documentWith((made) => {
          made.getMap('map').set('key', kinds()[at]);
          made.getXmlFragment('xml').insert(0, [element('p', { key: kinds()[at] })]);
        }),
      ) as [Y.Doc, Y.Doc];
      restoreContent(doc, from);
      expect(everything(doc)).toEqual(everything(from));
    }
  }
});

test('values that a list cannot hold are restored as the nearest possible values', () => {
  const from = new Y.Doc();
  const list = from.getArray('array');
  from.transact((transaction) => {
    const content = new Y.ContentAny([undefined, 5n, 1]);
    new Y.Item(Y.createID(from.clientID, 0), null, null, null, null, list, null, content).integrate(
      transaction,
      0,
    );
  });
  const doc = new Y.Doc();
  restoreContent(doc, replicaOf(from));
  expect(doc.getArray('array').toArray()).toEqual([null, '5', 1]);
});

test('roots missing in the other document are emptied, and missing roots are created', () => {
  const doc = documentWith((made) => {
    made.getText('a').insert(0, 'x', { bold: true });
    made.getArray('b').insert(0, [1]);
    made.getMap('c').set('d', 1);
    made.getXmlFragment('e').insert(0, [element('p')]);
  });
  restoreContent(
    doc,
    documentWith((made) => made.getText('new').insert(0, 'y')),
  );
  const copy = replicaOf(doc);
  expect([
    copy.getText('a').length,
    copy.getArray('b').length,
    copy.getMap('c').size,
    copy.getXmlFragment('e').length,
    copy.getText('new').toString(),
  ]).toEqual([0, 0, 0, 0, 'y']);
});

test('a root whose type changed is restored', () => {
  const fills: ((doc: Y.Doc) => void)[] = [
    (doc) => doc.getText('r').insert(0, 'some text', { bold: true }),
    (doc) => doc.getArray('r').insert(0, [1, 'a', new Y.Map([['b', 1]])]),
    (doc) => doc.getMap('r').set('a', new Y.Array()),
    (doc) => doc.getXmlFragment('r').insert(0, [element('p', {}, xmlText('x'))]),
    () => undefined,
  ];
  const read = [
    (doc: Y.Doc) => doc.getText('r'),
    (doc: Y.Doc) => doc.getArray('r'),
    (doc: Y.Doc) => doc.getMap('r'),
    (doc: Y.Doc) => doc.getXmlFragment('r'),
    (doc: Y.Doc) => doc.getArray('r'),
  ];
  for (const before of fills) {
    for (const [at, after] of fills.entries()) {
      for (const use of [(doc: Y.Doc) => doc, replicaOf]) {
        const doc = use(documentWith(before));
        const from = documentWith(after);
        restoreContent(doc, replicaOf(from));
        expect(exactContent(read[at]!(replicaOf(doc)))).toEqual(exactContent(read[at]!(replicaOf(from))));
        expect(updatesOf(doc, () => restoreContent(doc, replicaOf(from)))).toEqual([]);
        expect(doc.share.get('r')?._length ?? 0).toBe(from.share.get('r')?._length ?? 0);
      }
    }
  }
});

test('content that only Yjs has is restored: other values, nested documents, nested texts', () => {
  const from = documentWith((made) => {
    const map = made.getMap('map');
    map.set('bytes', new Uint8Array([1, 2]));
    map.set('large', 2n ** 60n);
    map.set('undefined', undefined);
    map.set('zero', -0);
    map.set('document', new Y.Doc({ guid: 'inner', meta: { a: 1 } }));
    map.set('fragment', new Y.XmlFragment());
    (map.get('fragment') as Y.XmlFragment).insert(0, [element('p', { n: 1 }, 'a')]);
    made.getArray('array').insert(0, [null, new Uint8Array([3]), new Y.Doc({ guid: 'other' })]);
    const paragraph = new Y.XmlText();
    made.get('root', Y.XmlText).insertEmbed(0, paragraph);
    paragraph.setAttribute('__type', 'paragraph');
    paragraph.insertEmbed(0, new Y.Map([['__type', 'text']]));
    paragraph.insert(1, 'abc');
    made.getXmlFragment('xml').insert(0, [new Y.XmlHook('hook') as never]);
  });
  const all = (doc: Y.Doc) => {
    const copy = replicaOf(doc);
    return [...everything(copy), exactContent(copy.get('root', Y.XmlText))];
  };
  const doc = new Y.Doc();
  const source = replicaOf(from);
  restoreContent(doc, source);
  expect(all(doc)).toEqual(all(from));
  expect(updatesOf(doc, () => restoreContent(doc, replicaOf(from)))).toEqual([]);
  const paragraph = doc.get('root', Y.XmlText).toDelta()[0].insert;
  paragraph.insert(4, 'more');
  restoreContent(doc, source);
  expect(all(doc)).toEqual(all(from));
  expect(doc.get('root', Y.XmlText).toDelta()[0].insert).toBe(paragraph);
});

test('content deeper than a hundred levels is refused before any change', () => {
  const from = new Y.Doc();
  from.transact(() => {
    let map = from.getMap('map');
    for (let level = 0; level < 5_000; level++) {
      const inner = new Y.Map<unknown>();
      map.set('a', inner);
      map = inner;
    }
  });
  const doc = documentWith((made) => made.getMap('another').set('a', 1));
  expect(
    updatesOf(doc, () => expect(() => restoreContent(doc, from)).toThrow('nested deeper than 100')),
  ).toEqual([]);
});
