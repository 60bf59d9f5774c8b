import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { rounds } from '../../../test/run/rounds.ts';
import {
  growBlock,
  plainLetters,
  randomBlocks,
  randomJson,
  randomText,
  shared,
} from './fixtures/random-content.ts';
import { documentWith, element, exactContent, replicaOf, stateOf, synchronize } from './fixtures/replicas.ts';
import { read } from './fixtures/writing.ts';
import type { ContentType } from './read-content.ts';
import { restoreContent } from './restore-content.ts';
import { writeContent } from './write-content.ts';

const MARK = 'ZZZ';

/** Expects that both documents have the edits of both, and equal content. */
function expectConverged(a: Y.Doc, b: Y.Doc, type: ContentType): void {
  synchronize(a, b);
  expect(stateOf(a)).toEqual(stateOf(b));
  expect(read(a, type)).toEqual(read(b, type));
  const exact = (doc: Y.Doc) => {
    const copy = replicaOf(doc);
    if (type === 'text') return exactContent(copy.getText('content'));
    if (type === 'xml') return exactContent(copy.getXmlFragment('content'));
    return exactContent(type === 'map' ? copy.getMap('content') : copy.getArray('content'));
  };
  expect(exact(a)).toEqual(exact(b));
}

const write = (doc: Y.Doc, type: ContentType, data: unknown) =>
  writeContent(doc, { type, contentKey: 'content', data });

test('concurrent insertions survive a write, and the text around them is as written', () => {
  const line = fc.record({
    words: plainLetters,
    change: fc.constantFrom('keep', 'keep', 'edit', 'drop', 'precede'),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (lines, which, where) => {
      const before = lines.map(({ words }, at) => `${at}: ${words}\n`);
      const after = before.flatMap((text, at) => {
        const { change } = lines[at]!;
        if (change === 'keep') return [text];
        if (change === 'edit') return [text.toUpperCase().replace(':', ' is')];
        return change === 'drop' ? [] : ['something new\n', text];
      });
      const server = documentWith((doc) => doc.getText('content').insert(0, before.join('')));
      const client = replicaOf(server);
      const kept = before.filter((_, at) => lines[at]!.change === 'keep');
      const [target] = kept.length > 0 ? [kept[which % kept.length]!] : [before[which % before.length]!];
      const offset = 1 + (where % (target.length - 1));
      const text = client.getText('content');
      text.insert(text.toString().indexOf(target) + offset, MARK);
      write(server, 'text', after.join(''));
      expectConverged(server, client, 'text');
      const result = read(server, 'text') as string;
      expect(result).toContain(MARK);
      expect(result.replace(MARK, '')).toBe(after.join(''));
    }),
    { numRuns: rounds(75, 300, 'FUZZ_RUNS') },
  );
});

test('writing text converges with any concurrent edit', () => {
  const edit = fc.record({ at: fc.nat(40), drop: fc.nat(6), add: randomText, bold: fc.boolean() });
  fc.assert(
    fc.property(randomText, randomText, fc.array(edit, { maxLength: 4 }), (before, after, edits) => {
      const server = documentWith((doc) => doc.getText('content').insert(0, before));
      const client = replicaOf(server);
      const text = client.getText('content');
      for (const { at, drop, add, bold } of edits) {
        const start = Math.min(at, text.length);
        text.delete(start, Math.min(drop, text.length - start));
        text.insert(start, add, bold ? { bold: true } : {});
      }
      write(server, 'text', after);
      expectConverged(server, client, 'text');
    }),
  );
});

interface Paragraph {
  words: string;
  change: 'keep' | 'edit' | 'drop' | 'precede' | 'wrap' | 'attribute';
}

const paragraphs: fc.Arbitrary<Paragraph[]> = fc.array(
  fc.record({
    words: plainLetters,
    change: fc.constantFrom('keep', 'keep', 'edit', 'drop', 'precede', 'wrap', 'attribute'),
  }),
  { minLength: 1, maxLength: 8 },
);

test('in XML, concurrent insertions in unchanged elements stay in their place', () => {
  fc.assert(
    fc.property(paragraphs, fc.nat(), fc.nat(), (all, which, where) => {
      const before = all.map(({ words }, at) => `<p id="${at}">${words}</p>`);
      const after = before.flatMap((xml, at) => {
        const { change } = all[at]!;
        if (change === 'edit') return [xml.replace(/>.*</, '>all else<')];
        if (change === 'drop') return [];
        if (change === 'precede') return ['<p>new</p>', xml];
        if (change === 'wrap') return [`<list>${xml}</list>`];
        return change === 'attribute' ? [xml.replace('">', '" level="2">')] : [xml];
      });
      const server = new Y.Doc();
      write(server, 'xml', before.join(''));
      const client = replicaOf(server);
      const kept = all.flatMap(({ change }, at) =>
        ['keep', 'precede', 'attribute'].includes(change) ? [at] : [],
      );
      const target = kept[which % kept.length];
      if (target !== undefined) {
        const paragraph = client.getXmlFragment('content').get(target) as Y.XmlElement;
        (paragraph.get(0) as Y.XmlText).insert(where % (all[target]!.words.length + 1), MARK);
      }
      write(server, 'xml', after.join(''));
      expect(read(server, 'xml')).toBe(after.join(''));
      expectConverged(server, client, 'xml');
      const result = read(server, 'xml') as string;
      expect(result.replace(MARK, '')).toBe(after.join(''));
      if (target !== undefined) expect(result).toMatch(new RegExp(`<p id="${target}"[^>]*>[^<]*${MARK}`));
    }),
    { numRuns: rounds(75, 300, 'FUZZ_RUNS') },
  );
});

test('writing and restoring XML converges with any concurrent edit', () => {
  const edit = fc.record({ path: fc.array(fc.nat(4), { maxLength: 3 }), at: fc.nat(20), action: fc.nat(4) });
  fc.assert(
    fc.property(
      randomBlocks(),
      randomBlocks(),
      fc.array(edit, { maxLength: 5 }),
      fc.boolean(),
      (before, after, edits, isRestored) => {
        const grow = (blocks: typeof before) =>
          documentWith((doc) => doc.getXmlFragment('content').insert(0, blocks.map(growBlock)));
        const server = replicaOf(grow(before));
        const client = replicaOf(server);
        for (const { path, at, action } of edits) {
          let parent: Y.XmlFragment = client.getXmlFragment('content');
          for (const step of path) {
            const child = parent.length > 0 ? parent.get(step % parent.length) : undefined;
            if (child instanceof Y.XmlElement) parent = child;
          }
          const child = parent.length > 0 ? parent.get(at % parent.length) : undefined;
          if (action === 0) parent.insert(at % (parent.length + 1), [element('p', { id: 'z' }, MARK)]);
          else if (action === 1 && child) parent.delete(at % parent.length, 1);
          else if (child instanceof Y.XmlText)
            child.insert(at % (child.length + 1), MARK, action === 2 ? { bold: {} } : {});
          else if (child instanceof Y.XmlElement) child.setAttribute('level', '9');
        }
        const wanted = replicaOf(grow(after));
        if (isRestored) restoreContent(server, wanted);
        else write(server, 'xml', read(wanted, 'xml'));
        expectConverged(server, client, 'xml');
      },
    ),
  );
});

test('concurrent edits of shared types that are kept survive a write', () => {
  const item = fc.record({
    words: plainLetters,
    change: fc.constantFrom('keep', 'keep', 'edit', 'drop', 'precede'),
  });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 8 }), fc.nat(), (items, which) => {
      const before = items.map(({ words }, id) => ({ id, words }));
      const after = before.flatMap((value, at) => {
        const { change } = items[at]!;
        if (change === 'edit') return [{ ...value, words: 'all else' }];
        return change === 'drop' ? [] : change === 'precede' ? ['new', value] : [value];
      });
      const server = documentWith((doc) => doc.getMap('content').set('items', shared(before)));
      const client = replicaOf(server);
      const kept = items.flatMap(({ change }, at) => (change === 'drop' ? [] : [at]));
      const target = kept[which % kept.length];
      const list = client.getMap('content').get('items') as Y.Array<Y.Map<unknown>>;
      if (target !== undefined) list.get(target).set('mark', MARK);
      write(server, 'map', { items: after, other: 1 });
      expectConverged(server, client, 'map');
      const result = read(server, 'map') as { items: unknown[] };
      expect(JSON.stringify(result.items).includes(MARK)).toBe(target !== undefined);
      expect(result.items.length).toBe(after.length);
    }),
    { numRuns: rounds(75, 300, 'FUZZ_RUNS') },
  );
});

test('writing maps and arrays converges with any concurrent edit', () => {
  fc.assert(
    fc.property(randomJson.object, randomJson.object, randomJson.object, (before, after, meanwhile) => {
      const server = documentWith((doc) => {
        for (const [key, value] of Object.entries(before)) doc.getMap('content').set(key, shared(value));
      });
      const client = replicaOf(server);
      write(client, 'map', meanwhile);
      write(server, 'map', after);
      expectConverged(server, client, 'map');
    }),
  );
});

test('a cursor in unchanged text moves with that text', () => {
  const paragraphOf = (at: number) => `Paragraph ${at} says that ${'this and that '.repeat(at + 3)}\n`;
  const paragraphs = Array.from({ length: 20 }, (_, at) => paragraphOf(at));
  const before = paragraphs.join('');
  const server = documentWith((doc) => doc.getText('content').insert(0, before));
  const client = replicaOf(server);
  const text = client.getText('content');
  const places = [500, 800, before.length - 1];
  const cursors = places.map((place) => Y.createRelativePositionFromTypeIndex(text, place));
  const after = ['An entirely different beginning.\n', ...paragraphs.slice(1)].join('');
  write(server, 'text', after);
  synchronize(server, client);
  const now = cursors.map((cursor) => Y.createAbsolutePositionFromRelativePosition(cursor, client)?.index);
  expect(now).toEqual(places.map((place) => place + after.length - before.length));
});

test('a cursor in an unchanged XML paragraph stays while other paragraphs are replaced', () => {
  const server = new Y.Doc();
  write(server, 'xml', '<p>The first one.</p><p>The second one is this.</p><p>The third one.</p>');
  const client = replicaOf(server);
  const second = (client.getXmlFragment('content').get(1) as Y.XmlElement).get(0) as Y.XmlText;
  const cursor = Y.createRelativePositionFromTypeIndex(second, 11);
  write(server, 'xml', '<h>Heading</h><p>Completely other.</p><p>The second one is really this.</p>');
  synchronize(server, client);
  expect(Y.createAbsolutePositionFromRelativePosition(cursor, client)).toMatchObject({
    type: second,
    index: 11,
  });
});
