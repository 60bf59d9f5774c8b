import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type LiveTenant, newLiveTenant } from '../service/live-tenant.ts';
import type { Service } from '../service/service.ts';
import { sharedService } from '../service/worker-service.ts';
import type { EditorName } from './editor-pages.ts';
import {
  beforeCaret,
  type EditorWindows,
  forceEditable,
  offline,
  press,
  saved,
  startEditorWindows,
} from './editor-windows.ts';

let service: Service;
let tenant: LiveTenant;
let windows: EditorWindows;

beforeAll(async () => {
  [service, windows] = await Promise.all([sharedService(), startEditorWindows()]);
  tenant = await newLiveTenant(() => service);
});

/** A live editor of the document, with functions to open it as a user and to change it through the API. */
function newEditor(editor: EditorName, editorId: string) {
  const place = { organizationId: 'acme', documentId: 'home', editorId };
  return {
    async open(userId: string, role?: 'viewer'): Promise<Page> {
      const url = `${service.url.replace('http:', 'ws:')}/v2/realtime`;
      const token = await tenant.token(userId, role);
      return windows.open(editor, { url, name: `acme/home/${editorId}`, token, userId });
    },
    add: (data: object) => tenant.must('/v2/crdt/add', { ...place, ...data }),
    update: (data: object) => tenant.must('/v2/crdt/update', { ...place, ...data }),
    async content(): Promise<string> {
      const [{ data }] = await tenant.must('/v2/crdt/get', place);
      return data;
    },
  };
}

/** Waits until all pages show the expected text. */
async function allShow(pages: Page[], contentOf: (page: Page) => Promise<string>, expected: string) {
  for (const page of pages) {
    await expect.poll(() => contentOf(page), { interval: 50 }).toBe(expected);
  }
}

/** The paragraphs of an editor with their marks, without the wrappers and attributes that some editors add. */
const richText = (page: Page): Promise<string> =>
  page
    .locator('#editor p')
    .evaluateAll((paragraphs) =>
      paragraphs
        .map(({ innerHTML }) => innerHTML.replaceAll(/<\/?span[^>]*>|(?<=<strong) [^>]*/g, ''))
        .join('¶'),
    );

/** The lines of an editor, without the labels of other people's carets. */
const lines = (page: Page): Promise<string> =>
  page.locator('.cm-line').evaluateAll((found) =>
    found
      .map((line) => {
        const copy = line.cloneNode(true) as Element;
        for (const caret of copy.querySelectorAll('.cm-ySelectionCaret')) caret.remove();
        return copy.textContent;
      })
      .join('¶'),
  );

test('people write together in TipTap, and a change through the API moves no caret', async () => {
  const { open, update, content } = newEditor('tiptap', 'article');
  const [ada, bob] = [await open('ada'), await open('bob')];
  await ada.locator('.tiptap').click();
  await ada.keyboard.type('The first paragraph.');
  await press(ada, 'Enter');
  await ada.keyboard.type('The second, of ');
  await press(ada, 'Control+b');
  await ada.keyboard.type('great');
  await press(ada, 'Control+b');
  await ada.keyboard.type(' weight.');
  await allShow([ada, bob], richText, 'The first paragraph.¶The second, of <strong>great</strong> weight.');
  await bob.locator('.tiptap p').first().click();
  await press(bob, 'Home');
  await bob.keyboard.type('So: ');
  const shown = 'So: The first paragraph.¶The second, of <strong>great</strong> weight.';
  await allShow([bob, ada], richText, shown);
  await saved(bob);

  const written = await content();
  expect(written).toBe(
    '<paragraph>So: The first paragraph.</paragraph>' +
      '<paragraph>The second, of <bold>great</bold> weight.</paragraph>',
  );
  const replaceFirst = async (text: string) => {
    const data = (await content()).replace(/(?<=^<paragraph>)[^<]*/, text);
    await update({ type: 'xml', contentKey: 'default', data });
  };
  await press(ada, 'ArrowLeft', 4);
  await replaceFirst('Set by the API.');
  await allShow([ada, bob], richText, 'Set by the API.¶The second, of <strong>great</strong> weight.');
  expect(await beforeCaret(ada)).toBe('The second, of great wei');

  await ada.keyboard.type('ED');
  await allShow([bob], richText, 'Set by the API.¶The second, of <strong>great</strong> weiEDght.');
  await offline(ada, async () => {
    await ada.keyboard.type('ITED');
    await replaceFirst('And again.');
    await allShow([bob], richText, 'And again.¶The second, of <strong>great</strong> weiEDght.');
  });
  await allShow([ada, bob], richText, 'And again.¶The second, of <strong>great</strong> weiEDITEDght.');
  expect(await beforeCaret(ada)).toBe('The second, of great weiEDITED');
  expect(await content()).toBe(
    '<paragraph>And again.</paragraph><paragraph>The second, of <bold>great</bold> weiEDITEDght.</paragraph>',
  );
});

test('TipTap shows every node that the API writes, and loses none of them', async () => {
  const { open, add, update, content } = newEditor('tiptap', 'report');
  const list = '<bulletList><listItem><paragraph>one</paragraph></listItem></bulletList>';
  const data =
    '<heading level="2">Title</heading>' +
    '<paragraph><link href="https://example.com/?a=1&amp;b=2">Link</link>, <code>x &lt; y</code><hardBreak/>next</paragraph>' +
    `${list}<codeBlock language="js">let a;\n  b</codeBlock><paragraph>End</paragraph>`;
  await add({ type: 'xml', contentKey: 'default', data });
  const ada = await open('ada');
  const shown = (heading: string) =>
    `<h2>${heading}</h2>` +
    '<p><a href="https://example.com/?a=1&amp;b=2">Link</a>, <code>x &lt; y</code><br>next</p>' +
    '<ul><li><p>one</p></li></ul><pre><code class="language-js">let a;\n  b</code></pre><p>End</p>';
  const html = async (page: Page) =>
    (await page.locator('.tiptap').innerHTML()).replaceAll(/ (target|rel)="[^"]*"/g, '');
  await allShow([ada], html, shown('Title'));
  await ada.locator('h2').click();
  await press(ada, 'End');
  await ada.keyboard.type('!');
  await saved(ada);
  const more = `<heading level="3">More</heading>${list}<paragraph>End</paragraph>`;
  await update({ type: 'xml', contentKey: 'default', data: (await content()) + more });
  await allShow([ada], html, `${shown('Title!')}<h3>More</h3><ul><li><p>one</p></li></ul><p>End</p>`);
});

test('people write together in CodeMirror and see the carets of the others', async () => {
  const { open, update, content } = newEditor('codemirror', 'source');
  const [ada, bob] = [await open('ada'), await open('bob')];
  await ada.locator('.cm-content').click();
  await ada.keyboard.type('# Title');
  await press(ada, 'Enter');
  await ada.keyboard.type('Some words & <tags>');
  await allShow([ada, bob], lines, '# Title¶Some words & <tags>');
  await allShow([bob], (page) => page.locator('.cm-ySelectionInfo').innerText(), 'ada');
  await bob.locator('.cm-line').first().click();
  await press(bob, 'End');
  await bob.keyboard.type('!');
  await allShow([bob, ada], lines, '# Title!¶Some words & <tags>');
  await saved(bob);
  expect(await content()).toBe('# Title!\nSome words & <tags>');

  await press(ada, 'ArrowLeft', 7);
  await update({ type: 'text', data: '# Set by the API\nSome words & <tags>' });
  await allShow([ada, bob], lines, '# Set by the API¶Some words & <tags>');
  expect(await beforeCaret(ada)).toBe('Some words &');

  await offline(ada, async () => {
    await ada.keyboard.type('ITED');
    await update({ type: 'text', data: '# Again\nSome words & <tags>' });
  });
  await allShow([ada, bob], lines, '# Again¶Some words &ITED <tags>');
  expect(await beforeCaret(ada)).toBe('Some words &ITED');
  expect(await content()).toBe('# Again\nSome words &ITED <tags>');
});

const paragraph = { type: 'xml', contentKey: 'default', data: '<paragraph>As it was.</paragraph>' };

test.each([
  ['tiptap', '.tiptap', paragraph, richText],
  ['codemirror', '.cm-content', { type: 'text', data: 'As it was.' }, lines],
] as const)('a viewer sees changes in %s, and cannot write', async (editor, selector, data, contentOf) => {
  const { open, add, content } = newEditor(editor, `watched-${editor}`);
  await add(data);
  const [ada, vic] = [await open('ada'), await open('vic', 'viewer')];
  await allShow([ada, vic], contentOf, 'As it was.');
  await vic.locator(selector).click();
  await vic.keyboard.type('defaced ');
  expect(await contentOf(vic)).toBe('As it was.');

  await forceEditable(vic);
  await vic.locator(selector).click();
  await press(vic, 'Control+Home');
  await vic.keyboard.type('defaced ');
  expect(await contentOf(vic)).toBe('defaced As it was.');
  await ada.locator(selector).click();
  await press(ada, 'Control+End');
  await ada.keyboard.type(' Not any more.');
  await allShow([vic], contentOf, 'defaced As it was. Not any more.');
  await saved(ada);
  expect(await content()).not.toContain('defaced');
  await allShow([ada, await open('bob')], contentOf, 'As it was. Not any more.');
});

test('people write together in plain ProseMirror', async () => {
  const { open, update, content } = newEditor('prosemirror', 'plain');
  const [ada, bob] = [await open('ada'), await open('bob')];
  await ada.locator('.ProseMirror').click();
  await ada.keyboard.type('One');
  await press(ada, 'Enter');
  await press(ada, 'Control+b');
  await ada.keyboard.type('Two');
  await allShow([ada, bob], richText, 'One¶<strong>Two</strong>');
  await saved(ada);
  const data = '<paragraph>One</paragraph><paragraph><strong>Two</strong></paragraph>';
  expect(await content()).toBe(data);
  await update({ type: 'xml', contentKey: 'prosemirror', data: data.replace('One', '1') });
  await allShow([ada, bob], richText, '1¶<strong>Two</strong>');
});

test('people write together in Lexical, whose content can be read as XML but not replaced by it', async () => {
  const { open, update, content } = newEditor('lexical', 'letter');
  const ada = await open('ada');
  await saved(ada);
  const bob = await open('bob');
  await ada.locator('#editor').click();
  await ada.keyboard.type('One ');
  await press(ada, 'Control+b');
  await ada.keyboard.type('& 2');
  await press(ada, 'Control+b');
  await press(ada, 'Enter');
  await ada.keyboard.type('Three');
  await allShow([ada, bob], richText, 'One <strong>&amp; 2</strong>¶Three');
  await saved(ada);
  const data = await content();
  expect(data).toMatch(/^<text [^<]*__type="paragraph">One &amp; 2<\/text><text [^<]*>Three<\/text>$/);
  await expect(update({ type: 'xml', contentKey: 'root', data: data.replace('One', '1') })).rejects.toThrow(
    /INVALID_ARGUMENT.*only its editor can change it/,
  );
  await bob.locator('#editor').click();
  await press(bob, 'Control+End');
  await bob.keyboard.type('!');
  await allShow([ada, bob], richText, 'One <strong>&amp; 2</strong>¶Three!');
});
