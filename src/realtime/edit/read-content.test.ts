import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { growBlock, plainLetters, randomBlocks, randomJson, shared } from './fixtures/random-content.ts';
import { documentWith, element, replicaOf, xmlText } from './fixtures/replicas.ts';
import { type ContentType, inferType, readContent } from './read-content.ts';

const read = (doc: Y.Doc, type: ContentType | null = null, contentKey: string | null = 'content'): unknown =>
  readContent(doc, { type, contentKey });

const FILL: Record<ContentType, (doc: Y.Doc) => void> = {
  text: (doc) => doc.getText('content').insert(0, 'one', { bold: true }),
  map: (doc) => doc.getMap('content').set('a', new Y.Map([['b', new Y.Text('c')]])),
  array: (doc) => doc.getArray('content').insert(0, [1, new Y.Map([['a', null]])]),
  xml: (doc) => doc.getXmlFragment('content').insert(0, [element('P', {}, 'one')]),
};

const CONTENT: Record<ContentType, unknown> = {
  text: 'one',
  map: { a: { b: 'c' } },
  array: [1, { a: null }],
  xml: '<p>one</p>',
};

test('each type is read as JSON, whether it is declared or inferred', () => {
  for (const type of ['text', 'map', 'array', 'xml'] as const) {
    const original = documentWith(FILL[type]);
    for (const doc of [original, replicaOf(original)]) {
      expect(read(doc, type)).toEqual(CONTENT[type]);
      expect(read(doc)).toEqual(CONTENT[type]);
      expect(inferType(doc, 'content')).toBe(type);
    }
  }
});

test('reading leaves a root without a class, so that it can still be typed later', () => {
  for (const type of ['text', 'map', 'array', 'xml'] as const) {
    const doc = replicaOf(documentWith(FILL[type]));
    read(doc, type);
    read(doc);
    expect(doc.share.get('content')?.constructor).toBe(Y.AbstractType);
  }
});

test('missing content is empty if its type is declared, and null otherwise', () => {
  const doc = new Y.Doc();
  expect(['text', 'map', 'array', 'xml'].map((type) => read(doc, type as ContentType))).toEqual([
    '',
    {},
    [],
    '',
  ]);
  expect(read(doc, 'map', null)).toEqual({});
  expect(read(doc)).toBeNull();
  expect(read(doc, null, null)).toBeNull();
  expect(inferType(doc, 'content')).toBeNull();
  const emptied = documentWith(FILL.text);
  emptied.getText('content').delete(0, 3);
  expect(read(replicaOf(emptied))).toBeNull();
  expect(read(replicaOf(emptied), 'text')).toBe('');
});

test('content that does not have the declared type is read by its actual type', () => {
  expect(read(replicaOf(documentWith(FILL.map)), 'text')).toEqual(CONTENT.map);
  expect(read(replicaOf(documentWith(FILL.text)), 'xml')).toBe('one');
  expect(read(replicaOf(documentWith(FILL.xml)), 'array')).toEqual(['<p>one</p>']);
});

test('without a key, "content" is read, otherwise "default", otherwise the only root, otherwise all roots', () => {
  const doc = new Y.Doc();
  doc.getText('a').insert(0, 'A');
  doc.getText('emptied').insert(0, 'x');
  doc.getText('emptied').delete(0, 1);
  expect(read(doc, null, null)).toBe('A');
  expect(inferType(doc, null)).toBe('text');
  doc.getMap('b').set('key', 1);
  expect(read(doc, null, null)).toEqual({ a: 'A', b: { key: 1 } });
  expect(inferType(doc, null)).toBeNull();
  doc.getText('default').insert(0, 'D');
  expect(read(doc, null, null)).toBe('D');
  doc.getText('content').insert(0, 'C');
  expect(read(doc, null, null)).toBe('C');
});

test('list content decides about the type before map content', () => {
  const inferredType = (fill: (doc: Y.Doc) => void) => inferType(replicaOf(documentWith(fill)), 'content');
  expect(inferredType((doc) => doc.getText('content').insertEmbed(0, { image: 'x' }))).toBe('text');
  expect(inferredType((doc) => doc.getText('content').insertEmbed(0, new Y.Map(), { bold: true }))).toBe(
    'text',
  );
  expect(inferredType((doc) => doc.getArray('content').insert(0, [new Y.Text('a')]))).toBe('array');
  expect(inferredType((doc) => doc.getArray<unknown>('content').insert(0, [element('p'), 1]))).toBe('array');
  expect(inferredType((doc) => doc.getArray('content').insert(0, [new Uint8Array(1)]))).toBe('array');
  expect(inferredType((doc) => doc.getXmlFragment('content').insert(0, [xmlText('a')]))).toBe('xml');
  expect(inferredType((doc) => doc.getXmlElement('content').setAttribute('a', 'b'))).toBe('map');
  expect(
    inferredType((doc) => {
      const root = doc.getXmlElement('content');
      root.setAttribute('a', 'b');
      root.insert(0, [element('p')]);
    }),
  ).toBe('xml');
});

test('values that JSON does not have are converted', () => {
  const doc = documentWith((made) => {
    const map = made.getMap('content');
    map.set('bytes', new Uint8Array([1, 2, 3]));
    map.set('large', 2n ** 60n);
    map.set('small', 7n);
    map.set('nothing', undefined);
    map.set('list', [undefined, Number.NaN, -0]);
    map.set('document', new Y.Doc());
    map.set('half \ud800', 'a\udc00\0');
    map.set('__proto__', 'own');
    map.set('deep', { nothing: undefined, bytes: new Uint8Array([255]) });
  });
  const content = read(doc, 'map') as Record<string, unknown>;
  expect(JSON.parse(JSON.stringify(content))).toStrictEqual(content);
  expect(Object.entries(content)).toEqual([
    ['bytes', 'AQID'],
    ['large', '1152921504606846976'],
    ['small', 7],
    ['list', [null, null, 0]],
    ['document', null],
    ['half \ufffd', 'a\ufffd\ufffd'],
    ['__proto__', 'own'],
    ['deep', { bytes: '/w==' }],
  ]);
  const half = documentWith((made) => made.getText('content').insert(0, 'a\ud800b\0'));
  expect(read(half, 'text')).toBe('a\ufffdb\ufffd');
});

test('levels beyond the hundredth are null, however deep the content is', () => {
  const levels = (content: unknown): number => {
    let depth = 0;
    for (let at = content; at !== null; at = (at as { a: unknown }).a) depth++;
    return depth;
  };
  const nested = (depth: number) => {
    const doc = new Y.Doc();
    doc.transact(() => {
      let map = doc.getMap('content');
      for (let level = 1; level < depth; level++) {
        const inner = new Y.Map<unknown>();
        map.set('a', inner);
        map = inner;
      }
      map.set('a', null);
    });
    return doc;
  };
  expect(levels(read(nested(101), 'map'))).toBe(101);
  expect(levels(read(nested(102), 'map'))).toBe(101);
  expect(levels(read(nested(20_000), 'map'))).toBe(101);

  let plain: unknown = null;
  for (let level = 0; level < 2_000; level++) plain = { a: plain };
  expect(levels(read(documentWith((doc) => doc.getMap('content').set('a', plain))))).toBe(101);

  const xml = new Y.Doc();
  xml.transact(() => {
    let parent: Y.XmlFragment = xml.getXmlFragment('content');
    for (let level = 0; level < 20_000; level++) {
      const inner = new Y.XmlElement('p');
      parent.insert(0, [inner, xmlText('t')]);
      parent = inner;
    }
  });
  const text = read(xml, 'xml') as string;
  expect(text.match(/<p>/g)).toHaveLength(100);
  expect(text.match(/t/g)).toHaveLength(101);
});

test('nested shared types are read as the JSON that they were created from', () => {
  fc.assert(
    fc.property(randomJson.object, randomJson.array, fc.boolean(), (object, array, hasTexts) => {
      const doc = documentWith((made) => {
        made.getArray('array').insert(
          0,
          array.map((item) => shared(item, hasTexts)),
        );
        for (const [key, value] of Object.entries(object))
          made.getMap('map').set(key, shared(value, hasTexts));
      });
      const copy = replicaOf(doc);
      expect(read(copy, 'array', 'array')).toStrictEqual(array);
      expect(read(copy, 'map', 'map')).toStrictEqual(object);
    }),
  );
});

test('XML without special characters is read as Yjs writes it', () => {
  const withoutObjects = randomBlocks(plainLetters).filter(
    (blocks) => !/odd|wide|comment--|color|flag|none|[<>&]/.test(JSON.stringify(blocks)),
  );
  fc.assert(
    fc.property(withoutObjects, (blocks) => {
      const doc = documentWith((made) => made.getXmlFragment('content').insert(0, blocks.map(growBlock)));
      const ofYjs = doc.getXmlFragment('content').toString();
      // Yjs repeats the tags between adjacent texts with the same marks.
      const joined = /<\/(\w+)><\1(?: [^>]*)?>/.test(ofYjs) ? expect.any(String) : ofYjs;
      expect(read(replicaOf(doc), 'xml')).toEqual(joined);
    }),
  );
});

test('in XML, marks are tags with attributes, and special characters are escaped', () => {
  const doc = documentWith((made) =>
    made
      .getXmlFragment('content')
      .insert(0, [
        element(
          'heading',
          { level: 2, id: 'a"<\n', wide: [1, null], none: undefined, 'odd key': true, nil: null },
          xmlText(
            { insert: 'a<b>&\r', attributes: { bold: {}, link: { href: 'x?a&b', target: null } } },
            { insert: 'c', attributes: { flag: true, color: 'red', size: 3 } },
            { insert: 'd', attributes: { 'comment--ab+/=d12': { id: 1 }, 'comment--ab+/=d13': { id: 2 } } },
          ),
        ),
        element('odd name'),
      ]),
  );
  expect(read(doc, 'xml')).toBe(
    '<heading id="a&quot;&lt;&#10;" level="2" nil="null" odd_x0020_key="true" wide="[1,null]">' +
      '<bold><link href="x?a&amp;b" target="null">a&lt;b&gt;&amp;&#13;</link></bold>' +
      '<color value="red"><flag><size value="3">c</size></flag></color>' +
      '<comment id="1"><comment id="2">d</comment></comment></heading><odd_x0020_name></odd_x0020_name>',
  );
});

test('texts that are nested in texts, as some editors store elements, are read as elements', () => {
  const doc = documentWith((made) => {
    const paragraph = new Y.XmlText();
    made.get('content', Y.XmlText).insertEmbed(0, paragraph);
    paragraph.setAttribute('__type', 'paragraph');
    paragraph.insertEmbed(0, new Y.Map([['__type', 'text']]));
    paragraph.insert(1, 'a & b');
  });
  expect(read(replicaOf(doc))).toBe('<text __type="paragraph">a &amp; b</text>');
});
