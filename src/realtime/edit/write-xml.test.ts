import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { rounds } from '../../../test/run/rounds.ts';
import { type Block, growBlock, randomBlocks } from './fixtures/random-content.ts';
import { documentWith, element, exactContent, replicaOf, xmlText } from './fixtures/replicas.ts';
import { bytes, read, refusal, write } from './fixtures/writing.ts';

type Child = Y.XmlElement | Y.XmlText;

const fragmentOf = (doc: Y.Doc) => doc.getXmlFragment('content');
const documentOf = (...children: Child[]) => documentWith((doc) => fragmentOf(doc).insert(0, children));
const grow = (blocks: Block[]) => replicaOf(documentOf(...blocks.map(growBlock)));
const exactly = (doc: Y.Doc) => exactContent(fragmentOf(replicaOf(doc)));
const child = (doc: Y.Doc, ...path: number[]) =>
  path.reduce<Y.XmlFragment>((at, index) => at.get(index) as Y.XmlElement, fragmentOf(doc)) as Y.XmlElement;

test('XML survives a round trip, in one update at most', () => {
  fc.assert(
    fc.property(randomBlocks(), randomBlocks(), (before, after) => {
      const doc = grow(before);
      const wanted = read(grow(after), 'xml');
      expect(write(doc, 'xml', wanted).length).toBeLessThanOrEqual(1);
      expect(read(doc, 'xml')).toBe(wanted);
      expect(read(replicaOf(doc), 'xml')).toBe(wanted);
    }),
    { numRuns: rounds(75, 300, 'FUZZ_RUNS') },
  );
});

test('writing back what was read changes nothing, in any notation', () => {
  fc.assert(
    fc.property(randomBlocks(), (blocks) => {
      const doc = grow(blocks);
      const xml = read(doc, 'xml') as string;
      expect(write(doc, 'xml', xml)).toEqual([]);
      expect(write(doc, 'xml', `<!-- a comment -->${xml}`)).toEqual([]);
      const inOtherNotation = xml
        .replace(/&lt;/g, '&#60;')
        .replace(/="([^"']*)"/g, "='$1'")
        .replace(/<(\w+)><\/\1>/g, '<$1/>');
      expect(write(doc, 'xml', inOtherNotation)).toEqual([]);
    }),
    { numRuns: rounds(75, 300, 'FUZZ_RUNS') },
  );
});

test('ProseMirror documents keep the case of their names and the types of their attributes', () => {
  const doc = documentOf(
    element('heading', { level: 2 }, 'Title'),
    element('bulletList', { tight: true }, element('listItem', {}, element('paragraph', {}, 'one'))),
    element('tableCell', { colspan: 1, colwidth: [100], background: null }),
    element('custom', { level: '1' }),
    element('A©', { n: 1 }),
  );
  const xml = read(doc, 'xml') as string;
  const added = xml
    .replace(
      '<heading level="2">Title</heading>',
      '<heading level="3">Title</heading><heading level="1">B</heading>',
    )
    .replace('</listitem>', '</listitem><listitem><paragraph>two</paragraph></listitem>')
    .replace('colspan="1" colwidth="[100]"', 'colspan="2" colwidth="[100,200]"')
    .replace(
      '</custom>',
      '</custom><custom level="2"></custom><bulletlist tight="false"></bulletlist><a_x00A9_ n="2"></a_x00A9_>',
    );
  write(doc, 'xml', added);
  expect(read(doc, 'xml')).toBe(added);
  expect(exactly(doc)).toEqual(
    exactly(
      documentOf(
        element('heading', { level: 3 }, 'Title'),
        element('heading', { level: 1 }, 'B'),
        element(
          'bulletList',
          { tight: true },
          element('listItem', {}, element('paragraph', {}, 'one')),
          element('listItem', {}, element('paragraph', {}, 'two')),
        ),
        element('tableCell', { colspan: 2, colwidth: [100, 200], background: null }),
        element('custom', { level: '1' }),
        element('custom', { level: '2' }),
        element('bulletList', { tight: false }),
        element('A©', { n: 2 }),
        element('A©', { n: 1 }),
      ),
    ),
  );
});

test('in a new document, common names and attributes get their usual case and types', () => {
  const doc = new Y.Doc();
  const xml =
    '<orderedlist start="3"><listitem></listitem></orderedlist><codeBlock language="js"></codeBlock>' +
    '<taskitem checked="true" data="7">a</taskitem><heading level="02"></heading>';
  write(doc, 'xml', xml);
  expect(exactly(doc)).toEqual(
    exactly(
      documentOf(
        element('orderedList', { start: 3 }, element('listItem')),
        element('codeBlock', { language: 'js' }),
        element('taskItem', { checked: true, data: '7' }, 'a'),
        element('heading', { level: '02' }),
      ),
    ),
  );
});

test('only formatting that differs is changed', () => {
  const doc = documentOf(
    element('p', {}, xmlText('one ', { insert: 'two', attributes: { bold: {}, mine: { a: 1 } } }, ' three')),
  );
  const [text] = child(doc, 0).toArray() as [Y.XmlText];
  write(doc, 'xml', '<p>one <mine a="1">two</mine> <italic>thr<mine a="2">ee</mine></italic></p>');
  expect(child(doc, 0).get(0)).toBe(text);
  expect(text.toDelta()).toEqual([
    { insert: 'one ' },
    { insert: 'two', attributes: { mine: { a: 1 } } },
    { insert: ' ' },
    { insert: 'thr', attributes: { italic: {} } },
    { insert: 'ee', attributes: { italic: {}, mine: { a: 2 } } },
  ]);
  write(doc, 'xml', '<p>one two three</p>');
  expect(exactly(doc)).toEqual(exactly(documentOf(element('p', {}, 'one two three'))));
});

test('marks are stored like those of the same name in the document', () => {
  const doc = documentOf(
    element(
      'p',
      {},
      xmlText(
        { insert: 'a', attributes: { flag: true } },
        { insert: 'b', attributes: { color: 'red' } },
        { insert: 'c', attributes: { 'comment--ab+/cd12': { id: 1 } } },
        { insert: 'd', attributes: { link: { href: 'x', target: null } } },
      ),
    ),
  );
  const xml = read(doc, 'xml') as string;
  write(
    doc,
    'xml',
    xml.replace(
      '</p>',
      '<flag>e</flag><color value="blue">f</color><comment id="1"><comment id="2">g</comment></comment>' +
        '<link href="y" target="null">h</link><strong class="x">i</strong></p>',
    ),
  );
  const delta = (child(doc, 0).get(0) as unknown as Y.XmlText).toDelta();
  const [comments] = delta.splice(6, 1);
  expect(delta.slice(4)).toEqual([
    { insert: 'e', attributes: { flag: true } },
    { insert: 'f', attributes: { color: 'blue' } },
    { insert: 'h', attributes: { link: { href: 'y', target: null } } },
    { insert: 'i', attributes: { strong: { class: 'x' } } },
  ]);
  // The hash is what y-prosemirror calculates for {type: 'comment', attrs: {id: 2}}.
  expect(comments).toEqual({
    insert: 'g',
    attributes: { 'comment--ab+/cd12': { id: 1 }, 'comment--weyM9+6E': { id: 2 } },
  });
});

test('a tag is a mark by its name, unless the document has elements of that name or the tag contains elements', () => {
  const doc = documentOf(element('code', {}, 'is an element here'), element('p', {}, 'a'));
  write(doc, 'xml', '<code>still</code><p>a<em>b</em><u>c<br/></u></p>');
  expect(exactly(doc)).toEqual(
    exactly(
      documentOf(
        element('code', {}, 'still'),
        element(
          'p',
          {},
          xmlText('a', { insert: 'b', attributes: { em: {} } }),
          element('u', {}, 'c', element('br')),
        ),
      ),
    ),
  );
});

test('of nested marks with one name, the inner one applies', () => {
  const doc = new Y.Doc();
  write(doc, 'xml', '<p><link href="1">a<link href="2">b</link></link></p>');
  expect(read(doc, 'xml')).toBe('<p><link href="1">a</link><link href="2">b</link></p>');
});

test('a change of one word in a large document is a small update, and leaves the rest unchanged', () => {
  const paragraphs = Array.from({ length: 500 }, (_, at) =>
    element('paragraph', { id: `p${at}` }, `This is paragraph ${at} of many.`),
  );
  const doc = documentOf(...paragraphs);
  const xml = read(doc, 'xml') as string;
  const changed = xml
    .replace('paragraph 250 of', 'section 250 of')
    .replace(/<paragraph id="p100">.*?<\/paragraph>/, '')
    .replace('<paragraph id="p400">', '<paragraph id="new">A new one.</paragraph><paragraph id="p400">');
  expect(bytes(write(doc, 'xml', changed))).toBeLessThan(200);
  expect(read(doc, 'xml')).toBe(changed);
  const kept = new Set(fragmentOf(doc).toArray());
  expect(paragraphs.filter((paragraph) => !kept.has(paragraph))).toEqual([paragraphs[100]]);
});

test('a changed element is recognized among others, and not confused with a new one', () => {
  const [first, second, third] = [
    element('p', {}, 'one apple'),
    element('p', {}, 'two pears'),
    element('p', {}, 'three'),
  ];
  const doc = documentOf(first, second, third);
  write(doc, 'xml', '<p>a preface</p><p>one apple pie</p><p>some nuts</p><p>two sweet pears</p>');
  expect(
    fragmentOf(doc)
      .toArray()
      .map((each) => [first, second, third].indexOf(each as Y.XmlElement)),
  ).toEqual([-1, 0, -1, 1]);
});

test('adjacent texts are one text in XML, and stay separate in the document', () => {
  const texts = [
    xmlText('one '),
    xmlText(),
    xmlText({ insert: 'two', attributes: { bold: {} } }),
    xmlText(' three'),
  ];
  const doc = documentOf(element('p', {}, ...texts), element('p', {}, xmlText()), element('p'));
  expect(write(doc, 'xml', '<p>one <bold>two</bold> three</p><p/><p/>')).toEqual([]);
  write(doc, 'xml', '<p>one <bold>two</bold> or three</p><p>a</p><p>b</p>');
  expect(child(doc, 0).toArray()).toEqual(texts);
  expect(texts.map(String)).toEqual(['one ', '', '<bold>two</bold>', ' or three']);
  expect([child(doc, 1).length, child(doc, 2).length]).toEqual([1, 1]);
});

test('an empty text is kept for later edits', () => {
  const empty = xmlText();
  const doc = documentOf(element('p', {}, element('br'), empty));
  write(doc, 'xml', '<p><br/><image/></p>');
  expect(child(doc, 0).toArray()).toContain(empty);
});

test('content beyond elements and text is refused, so that it is not lost', () => {
  const message =
    'The content under contentKey "content" contains more than elements and text, and would lose that as XML: ' +
    'only its editor can change it.';
  const embedded = documentWith((made) => {
    const paragraph = new Y.XmlText();
    made.get('content', Y.XmlText).insertEmbed(0, paragraph);
    paragraph.setAttribute('__type', 'paragraph');
    paragraph.insert(0, 'a');
  });
  const hook = documentWith((made) =>
    fragmentOf(made).insert(0, [element('p'), new Y.XmlHook('h') as never]),
  );
  const image = documentWith((made) => {
    const text = new Y.XmlText();
    fragmentOf(made).insert(0, [text]);
    text.insertEmbed(0, { src: 'a' });
  });
  for (const doc of [embedded, hook, image].map(replicaOf)) {
    expect(write(doc, 'xml', read(doc, 'xml'))).toEqual([]);
    expect(refusal(doc, 'xml', '<p>b</p>')).toBe(message);
  }
});

test('attributes of the root and attributes of types without an XML form stay', () => {
  const doc = documentWith((made) => {
    const root = made.getXmlElement('content');
    root.setAttribute('version', '1');
    root.insert(0, [element('p', { hidden: undefined }, 'a')]);
  });
  const copy = replicaOf(doc);
  write(copy, 'xml', '<p>b</p>');
  expect(exactContent(replicaOf(copy).getXmlElement('content'))).toEqual([
    'UNDEFINED',
    [['version', '1']],
    [['p', [['hidden', undefined]], [['xmltext', [], [['b', '[]']]]]]],
  ]);
});

test('XML that is not well-formed or nested too deep is refused', () => {
  const doc = documentOf(element('p', {}, 'a'));
  expect(refusal(doc, 'xml', '<p>a\n<b></p>')).toBe(
    'Data must be well-formed XML: "b" must be closed before "p" (line 2, column 4).',
  );
  const nested = (levels: number) => `${'<p>'.repeat(levels)}a${'</p>'.repeat(levels)}`;
  for (const levels of [101, 150, 10_000]) {
    expect(refusal(doc, 'xml', nested(levels))).toBe('Data is nested deeper than 100 levels.');
  }
  write(doc, 'xml', nested(100));
  expect(read(doc, 'xml')).toBe(nested(100));
  expect(write(doc, 'xml', nested(100).replace('a', 'ab'))).toHaveLength(1);
});
