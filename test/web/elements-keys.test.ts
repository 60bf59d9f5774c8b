import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ElementStage, startElementStage } from './element-stage.ts';

let stage: ElementStage;
beforeAll(async () => {
  stage = await startElementStage('element-scenes.ts');
});

async function openScene(scene: string): Promise<Page> {
  const page = await stage.open();
  await page.evaluate((name) => window.show(name), scene);
  return page;
}

/** The name of the element that has the focus, through all shadow roots. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '';
  });

const eventsOf = (page: Page, name: string): Promise<{ name: string; detail: unknown }[]> =>
  page.evaluate((wanted) => window.events.filter((event) => event.name === wanted), name);

test('pins are one stop of the tab key, and N and P walk in reading order', async () => {
  const page = await openScene('pins');
  const pins = page.locator('rp-pins .pin');
  expect(await pins.count()).toBe(12);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toMatch(/^Finding 2, High: Link leads nowhere \(2 of 12\)/);
  await page.keyboard.press('n');
  expect(await focused(page)).toMatch(/^Finding 3, Medium/);
  await page.keyboard.press('Enter');
  expect(await page.locator('rp-pins').getAttribute('selected')).toBe('fnd_2');
  await page.keyboard.press('P');
  await page.keyboard.press('Home');
  expect(await focused(page)).toMatch(/^Finding 1, Critical/);
  await page.keyboard.press('Escape');
  expect(await page.locator('rp-pins').getAttribute('selected')).toBeNull();
  await page.keyboard.press('End');
  expect(await focused(page)).toMatch(/^Finding 12, High/);
});

test('a listener may keep a pin from being selected', async () => {
  const page = await openScene('pins');
  await page.evaluate(() =>
    document.querySelector('rp-pins')!.addEventListener('rp-pin-select', (event) => event.preventDefault()),
  );
  await page.getByRole('button', { name: /^Finding 5/ }).click();
  expect(await page.locator('rp-pins').getAttribute('selected')).toBe('fnd_1');
});

test('findings are decided by keys, with a reason, and the last step can be undone', async () => {
  const page = await openScene('findings');
  await page.getByRole('button', { name: '1. Image without a text alternative', exact: true }).focus();
  await page.keyboard.press('j');
  expect(await focused(page)).toBe('11. Image without a text alternative');
  await page.keyboard.press('a');
  await page.getByText('1 finding accepted').first().waitFor();
  expect(await eventsOf(page, 'rp-findings-decided')).toEqual([]);
  await page.keyboard.press('k');
  await page.keyboard.press('r');
  expect(await focused(page)).toBe('');
  await page.keyboard.type('It is decoration.');
  await page.keyboard.press('Enter');
  // The step before can no longer be undone.
  await expect.poll(() => eventsOf(page, 'rp-findings-decided')).toHaveLength(1);
  expect(await focused(page)).toMatch(/^(\d+)\. Image/);
  await page.keyboard.press('z');
  await page.getByText('The decision is undone.').waitFor({ state: 'attached' });
  const [accepted, rejected] = await eventsOf(page, 'rp-finding-decide');
  expect(accepted?.detail).toMatchObject({ ids: ['fnd_10'], decision: 'accepted' });
  expect(rejected?.detail).toMatchObject({ decision: 'rejected', reason: 'It is decoration.' });
  expect(await eventsOf(page, 'rp-findings-decided')).toHaveLength(1);
});

test('several findings are decided at once, and Escape gives the focus back from a reason', async () => {
  const page = await openScene('findings');
  await page.getByRole('checkbox', { name: 'Select all: Broken link' }).check();
  await page.getByText('3 findings selected').waitFor();
  await page.getByRole('button', { name: 'Reject …' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reject …' }).waitFor();
  expect(await focused(page)).toMatch(/Link leads nowhere$/);
  await page.getByRole('button', { name: 'Reject …' }).click();
  await page.getByRole('button', { name: 'It is a quotation.' }).click();
  await page.getByText('3 findings rejected').first().waitFor();
  const [decided] = await eventsOf(page, 'rp-finding-decide');
  expect(decided?.detail).toMatchObject({ decision: 'rejected', reason: 'It is a quotation.' });
});

test('a filter by severity and words leaves the findings that match', async () => {
  const page = await openScene('findings');
  await page.getByRole('button', { name: /^High 3/ }).click();
  expect(await page.locator('rp-findings .row').count()).toBe(3);
  await page.getByRole('searchbox').fill('about');
  await expect.poll(() => page.locator('rp-findings .row').count()).toBe(1);
  await page.getByRole('searchbox').fill('nothing like this');
  await page.getByText('No finding matches the filter.').waitFor();
});

test('people are mentioned by keys, and the draft survives Escape', async () => {
  const page = await openScene('composer');
  await page.getByRole('textbox', { name: 'Comment' }).focus();
  await page.keyboard.type('Thanks @ngat');
  await page.getByRole('option', { name: 'Bob Ngata' }).waitFor();
  const area = page.getByRole('textbox', { name: 'Comment' });
  expect(await area.getAttribute('aria-activedescendant')).toBe('person-0');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('option').count()).toBe(0);
  await page.keyboard.type('a');
  await page.keyboard.press('Enter');
  expect(await area.inputValue()).toBe('Thanks @Bob Ngata ');
  await page.keyboard.press('Escape');
  expect(await eventsOf(page, 'rp-cancel')).toHaveLength(1);
  // A new field for the same place has the draft, and still knows who is mentioned.
  await page.evaluate(() => window.show('composer'));
  expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Thanks @Bob Ngata ');
  await page.getByRole('textbox', { name: 'Comment' }).focus();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => eventsOf(page, 'rp-submit')).toHaveLength(1);
  const [sent] = await eventsOf(page, 'rp-submit');
  expect(sent?.detail).toEqual({
    commentText: 'Thanks {{bob}}',
    taggedUserContacts: [
      {
        userId: 'bob',
        contact: { userId: 'bob', name: 'Bob Ngata', email: 'bob@acme.dev' },
        text: '@Bob Ngata',
      },
    ],
  });
  await expect.poll(() => page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('');
  // The field is free while a comment is sent, and gets back what was refused.
  await page.evaluate(() => {
    const { promise, reject } = Promise.withResolvers<void>();
    document.addEventListener('rp-refuse', () => reject(new Error('Not today.')), { once: true });
    document.querySelector('rp-composer')!.send = () => promise;
  });
  const field = page.getByRole('textbox', { name: 'Comment' });
  await field.fill('Again');
  await field.press('Control+Enter');
  await expect.poll(() => field.inputValue()).toBe('');
  await field.fill('And more');
  await page.evaluate(() => void document.dispatchEvent(new Event('rp-refuse')));
  await page.getByRole('alert').getByText('Not today.').waitFor();
  expect(await field.inputValue()).toBe('Again\n\nAnd more');
});

test('an empty comment is not sent, and the field says why', async () => {
  const page = await openScene('composer');
  await page.getByRole('button', { name: 'Comment' }).click();
  await page.getByRole('alert').getByText('Write something first.').waitFor();
  expect(await eventsOf(page, 'rp-submit')).toEqual([]);
  expect(await focused(page)).toBe('Comment');
});

test('threads are walked and opened by keys, and say which of them have no place', async () => {
  const page = await openScene('threads');
  await page.getByText('Not on this page any more').waitFor();
  await page.getByRole('button', { name: /Is the price with tax/ }).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  expect(await page.locator('rp-threads').getAttribute('selected')).toBe('ann_3');
  await page.getByRole('deletion').getByText('teh').waitFor();
  await page.getByRole('button', { name: 'Accept' }).click();
  const [action] = await eventsOf(page, 'rp-thread-action');
  expect(action?.detail).toMatchObject({ kind: 'accept', annotationId: 'ann_3' });
  await page.getByRole('button', { name: 'Mine' }).click();
  await expect.poll(() => page.locator('rp-threads .card').count()).toBe(3);
});

test('text of comments is never read as markup', async () => {
  const page = await openScene('empty');
  await page.evaluate(() => {
    const thread = document.createElement('rp-thread');
    const text = '<img src=x onerror=alert(1)> **<b>bold</b>** [x](javascript:alert(1)) `<i>`';
    thread.thread = {
      annotationId: 'a',
      annotationNumber: 1,
      annotationIndex: 1,
      visibilityConfig: { type: 'public' },
      metadata: { apiKey: '', organizationId: '', documentId: '' },
      createdAt: 0,
      lastUpdated: 0,
      comments: [{ commentId: 1, commentText: text, createdAt: 0, lastUpdated: '' }],
    };
    document.querySelector('rp-provider')!.append(thread);
  });
  const text = page.locator('rp-thread .text');
  await text.waitFor();
  expect(await text.textContent()).toBe(
    '<img src=x onerror=alert(1)> <b>bold</b> [x](javascript:alert(1)) <i>',
  );
  expect(await text.locator('img, b, i, a').count()).toBe(0);
  expect(await text.locator('strong').textContent()).toBe('<b>bold</b>');
});

test('a thread says what an assistant wrote and decided, which a person may decide anew', async () => {
  const page = await openScene('empty');
  await page.evaluate(() => {
    const thread = document.createElement('rp-thread');
    const eve = { userId: 'eve', name: 'Eve' };
    thread.thread = {
      annotationId: 'a',
      annotationNumber: 1,
      annotationIndex: 1,
      visibilityConfig: { type: 'public' },
      metadata: { apiKey: '', organizationId: '', documentId: '' },
      createdAt: 0,
      lastUpdated: 0,
      type: 'suggestion',
      suggestion: { status: 'rejected', newValue: 'Per year', resolvedBy: eve },
      decidedByAssistant: { suggestion: 'Cursor' },
      comments: [
        {
          commentId: 1,
          commentText: 'Fixed.',
          from: eve,
          assistant: { name: 'Claude Code' },
          createdAt: 0,
          lastUpdated: '',
        },
      ],
    };
    document.querySelector('rp-provider')!.append(thread);
  });
  await page.locator('rp-thread .by').getByText('by an assistant: Claude Code').waitFor();
  await page.getByText('Decided by Eve · by an assistant: Cursor').waitFor();
  await page.getByRole('button', { name: 'Accept' }).click();
  const [action] = await eventsOf(page, 'rp-thread-action');
  expect(action?.detail).toMatchObject({ kind: 'accept', annotationId: 'a' });
});

test('the inbox closes with Escape and gives the focus back', async () => {
  const page = await openScene('inbox');
  await page.getByRole('dialog', { name: 'Notifications' }).waitFor();
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toMatch(/Bob Ngata mentioned you/);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await focused(page)).toBe('Notifications, 1 unread');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /mentioned you/ })
    .first()
    .click();
  expect(await eventsOf(page, 'rp-notification-open')).toHaveLength(1);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('over a page, pins are at their places, and all else lets the pointer through', async () => {
  const page = await openScene('page');
  const pin = page.getByRole('button', { name: 'Comment 1: A comment (1 of 1)' });
  await pin.waitFor();
  const box = await pin.boundingBox();
  expect(Math.abs((box?.x ?? 0) - 40)).toBeLessThan(30);
  expect(Math.abs((box?.y ?? 0) - 200)).toBeLessThan(30);
  await page.getByRole('button', { name: 'Of the page' }).click();
  await pin.click();
  expect(await eventsOf(page, 'rp-pin-select')).toHaveLength(1);
});
