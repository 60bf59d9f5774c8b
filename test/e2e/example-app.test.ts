import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { allowLog } from '../run/log-watch.ts';
import { newTestContext } from '../service/test-browser.ts';
import { violationsOn } from '../web/violations.ts';
import { comment, PIXEL, reply, sent, thread, unread } from './example/pages.ts';
import { type ExampleStage, PLACE, startStage } from './example/stage.ts';

let stage: ExampleStage;
beforeAll(async () => {
  stage = await startStage();
});

/** Marks of passages that are close to each other are less than 24 pixels apart. */
const MARKS_MAY_TOUCH = { checksSizes: false };

/** What a browser says of requests while it has no network. */
const NO_NETWORK = /Failed to load resource|WebSocket connection/;

/** Opens the page as a user, in a browser context of their own. */
const open = async (name: 'Ada' | 'Linus', options?: BrowserContextOptions): Promise<Page> =>
  await openIn(await newTestContext({ reducedMotion: 'reduce', ...options }), name);

async function openIn(context: BrowserContext, name: 'Ada' | 'Linus'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(stage.example.link(name));
  await page.locator('#threads > li').first().waitFor();
  await page.getByText('Saved', { exact: true }).waitFor();
  return page;
}

test('a comment is shown to the other user without a reload, beside its passage', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  await comment(ada, 'four kilometers', 'Measured to which beach?');
  const seen = thread(linus, 'Measured to which beach?');
  await seen.waitFor();
  expect(await seen.locator('.quote').textContent()).toBe('“four kilometers”');
  expect(await seen.locator('.by strong').textContent()).toBe('Ada Lovelace');
  await expect.poll(() => seen.getAttribute('class')).toContain('unread');
  await seen.locator('.quote').click();
  await expect
    .poll(() =>
      linus.evaluate(() => {
        const [passage] = CSS.highlights.get('active-passage')!;
        const card = document.querySelector('.thread.active')!.getBoundingClientRect();
        return [String(passage), Math.round(card.top - (passage as Range).getBoundingClientRect().top)];
      }),
    )
    .toEqual(['four kilometers', 0]);
  await expect.poll(() => seen.getAttribute('class')).not.toContain('unread');
});

test('a reply is on the bell of the author, and opens its thread', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  await comment(ada, 'The second is lunch.', 'Always.');
  const before = await unread(ada);
  await thread(linus, 'Always.').waitFor();
  await reply(linus, 'Always.', 'Even in winter?');
  await thread(ada, 'Even in winter?').waitFor();
  await expect.poll(() => unread(ada)).toBe(before + 1);
  await ada.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click();
  await ada.getByRole('button', { name: 'Even in winter?' }).click();
  await expect.poll(() => unread(ada)).toBe(before);
  await expect.poll(() => thread(ada, 'Always.').getAttribute('class')).toContain('active');
});

test('a mention is a name for readers, and on the bell of the mentioned user', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  const before = await unread(linus);
  await comment(ada, 'shingle bank', 'x');
  await thread(ada, 'shingle bank').locator('.quote').click();
  const area = thread(ada, 'shingle bank').getByLabel('Reply');
  await area.pressSequentially('Ask @li');
  await thread(ada, 'shingle bank').getByRole('button', { name: '@Linus Torberg' }).waitFor();
  await area.press('Tab');
  await ada.keyboard.press('Enter');
  await ada.keyboard.type('first');
  expect(await area.inputValue()).toBe('Ask @Linus Torberg first');
  await area.press('Control+Enter');
  const seen = thread(linus, 'Ask @Linus Torberg first');
  await seen.waitFor();
  expect(await seen.locator('.mention').textContent()).toBe('@Linus Torberg');
  await expect.poll(() => unread(linus)).toBe(before + 1);
  await linus.locator('#bell').click();
  await linus.locator('#notifications').getByText('Ask Linus Torberg first').waitFor();
});

test('comments are edited, reacted to, and resolved', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  await comment(ada, 'the ebb bring us home', 'Lovly');
  await thread(linus, 'Lovly').waitFor();
  await thread(ada, 'Lovly').getByRole('button', { name: 'Edit' }).click();
  await ada.getByLabel('Edit the comment').fill('Lovely sentence');
  await ada.getByRole('button', { name: 'Save' }).click();
  const seen = thread(linus, 'Lovely sentence');
  await seen.getByText('edited').waitFor();

  await seen.locator('.quote').click();
  expect(await seen.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await seen.getByRole('button', { name: 'Love it' }).click();
  await thread(ada, 'Lovely sentence').getByText('Love it 1').waitFor();
  await seen.getByRole('button', { name: 'Love it: Linus Torberg', pressed: true }).click();
  await thread(ada, 'Lovely sentence').getByText('Love it 1').waitFor({ state: 'detached' });

  await seen.getByRole('button', { name: 'Resolve' }).click();
  await thread(ada, 'Lovely sentence').waitFor({ state: 'detached' });
  await ada.getByRole('button', { name: /^Resolved/ }).click();
  await thread(ada, 'Lovely sentence').locator('.quote').click();
  await thread(ada, 'Lovely sentence').getByRole('button', { name: 'Reopen' }).click();
  await seen.waitFor();
});

test('a picture of a comment is shown to the other user, under its name', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  const name = '<img src=x onerror="window.harm=1">.png';
  await comment(ada, 'the backs of their hands', 'Like this');
  await thread(ada, 'Like this').locator('.quote').click();
  await thread(ada, 'Like this')
    .getByLabel('Add a picture')
    .setInputFiles({ name, mimeType: 'image/png', buffer: PIXEL });
  await thread(ada, 'Like this').getByRole('list', { name: 'Pictures' }).getByText(name).waitFor();
  await thread(ada, 'Like this').getByRole('progressbar').waitFor({ state: 'detached' });
  await reply(ada, 'Like this', 'A picture');
  const picture = thread(linus, 'A picture').getByRole('img', { name });
  await picture.waitFor();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  expect(await linus.evaluate(() => 'harm' in window)).toBe(false);
});

const notes = (page: Page) => page.locator('#text');
const value = (page: Page) => notes(page).inputValue();
const caret = (page: Page) => notes(page).evaluate((area: HTMLTextAreaElement) => area.selectionEnd);

test('two users write in the shared text at the same time, and their carets stay', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  await notes(ada).fill('aaa\nbbb');
  await expect.poll(() => value(linus)).toBe('aaa\nbbb');
  await notes(ada).press('Control+End');
  await notes(linus).press('Control+Home');
  await Promise.all([
    notes(ada).pressSequentially('😀b and more'),
    notes(linus).pressSequentially('a before '),
  ]);
  await expect.poll(() => value(ada)).toBe('a before aaa\nbbb😀b and more');
  await expect.poll(() => value(linus)).toBe('a before aaa\nbbb😀b and more');
  expect(await caret(ada)).toBe((await value(ada)).length);
  expect(await caret(linus)).toBe('a before '.length);

  // One half of both emoji is the same.
  await ada.evaluate(() => {
    const area = document.querySelector<HTMLTextAreaElement>('#text')!;
    area.setRangeText('😁', area.value.indexOf('😀'), area.value.indexOf('😀') + 2, 'end');
    area.dispatchEvent(new InputEvent('input'));
  });
  await expect.poll(() => value(linus)).toBe('a before aaa\nbbb😁b and more');
  // What was typed with long breaks is undone in several steps.
  await expect
    .poll(async () => {
      await notes(linus).press('Control+z');
      return await value(linus);
    })
    .toBe('aaa\nbbb😁b and more');
  await expect.poll(() => value(ada)).toBe('aaa\nbbb😁b and more');
});

test('an input method composes a letter undisturbed by what the other user writes', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  await notes(ada).fill('end');
  await expect.poll(() => value(linus)).toBe('end');
  await notes(ada).press('Control+Home');
  const keyboard = await ada.context().newCDPSession(ada);
  await keyboard.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await expect.poll(() => value(linus)).toBe('にend');
  await notes(linus).press('Control+Home');
  await linus.keyboard.type('>>');
  await linus.getByText('Saved', { exact: true }).waitFor();
  await keyboard.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  expect(await value(ada)).toBe('にほend');
  await keyboard.send('Input.insertText', { text: '日本' });
  await expect.poll(() => value(ada)).toBe('>>日本end');
  await expect.poll(() => value(linus)).toBe('>>日本end');
});

test('a user appears among the people on the page, and goes', async () => {
  const ada = await open('Ada');
  const here = ada.getByRole('list', { name: 'People here now' });
  await here.getByText('Ada Lovelace (you)').waitFor();
  const linus = await open('Linus');
  await here.getByText('Linus Torberg').waitFor();
  await linus.goto('about:blank');
  await here.getByText('Linus Torberg').waitFor({ state: 'detached' });
});

test('a reload keeps comments and notes', async () => {
  const ada = await open('Ada');
  await comment(ada, 'Phones get wet.', 'Mine did.');
  await sent(thread(ada, 'Mine did.'));
  await notes(ada).fill('To be kept');
  await ada.getByText('Saved', { exact: true }).waitFor();
  await ada.reload();
  await thread(ada, 'Mine did.').waitFor();
  await expect.poll(() => value(ada)).toBe('To be kept');
});

test('HTML in comments, names, notifications and passages is text', async () => {
  const html = (where: string) => `<img src=x onerror="window.harm='${where}'"> in ${where}`;
  const from = { userId: 'mallory', name: html('a name'), email: 'mallory@saltmarsh.example' };
  await stage.tenant.must('/v2/commentannotations/add', {
    ...PLACE,
    commentAnnotations: [
      {
        targetElement: { targetText: html('a passage') },
        commentData: [
          {
            commentText: `{{${html('a reference')}}} ${html('a comment')}`,
            from,
            taggedUserContacts: [{ userId: 'ada', contact: { userId: 'ada', name: html('a contact') } }],
            attachments: [{ attachmentId: 1, name: html('a file'), url: 'http://127.0.0.1:1/x' }],
            triggerNotification: true,
          },
        ],
      },
    ],
  });
  await stage.tenant.must('/v2/presence/add', { ...PLACE, users: [from] });
  const ada = await open('Ada');
  for (const where of ['a passage', 'a comment', 'a reference', 'a name', 'a file']) {
    await thread(ada, html('a comment')).getByText(html(where)).first().waitFor();
  }
  await ada.locator('#people').getByText(html('a name')).waitFor({ state: 'attached' });
  await ada.locator('#bell').click();
  await ada.locator('#notifications').getByText(html('a name')).first().waitFor();
  expect(await ada.evaluate(() => 'harm' in window)).toBe(false);
  expect(await thread(ada, html('a comment')).locator('img').count()).toBe(0);
});

test('a comment that is written without a network is pending, and sent when the network is back', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  allowLog(NO_NETWORK);
  await ada.context().setOffline(true);
  await comment(ada, 'Sun cream', 'Factor 50');
  const written = thread(ada, 'Factor 50');
  await written.getByText('Not sent yet').waitFor();
  await ada.getByText('No connection.').waitFor();
  await ada.context().setOffline(false);
  await thread(linus, 'Factor 50').waitFor();
  await sent(written);
  await expect.poll(() => ada.locator('#status').textContent()).toBe('');
});

test('a reply to a thread that is deleted meanwhile is given back to its author', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  await comment(ada, 'the avocets', 'Which ones?');
  const asked = thread(linus, 'Which ones?');
  await asked.waitFor();
  allowLog(NO_NETWORK);
  await linus.context().setOffline(true);
  await reply(linus, 'Which ones?', 'All of them');
  await asked.getByText('Not sent yet').waitFor();
  const annotationIds = [await asked.getAttribute('id')];
  await stage.tenant.must('/v2/commentannotations/delete', { ...PLACE, annotationIds });
  await linus.context().setOffline(false);
  await linus.getByText('“All of them” was not sent').waitFor();
  await linus.getByRole('button', { name: 'Dismiss' }).click();
  await linus.locator('#problem:empty').waitFor({ state: 'attached' });
});

test('a reply that is being written to a thread that is deleted is given back to its author', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  await comment(ada, 'on paper', 'Which kind?');
  const asked = thread(linus, 'Which kind?');
  await asked.waitFor();
  await asked.locator('.quote').click();
  await asked.getByLabel('Reply').fill('The yellow');
  await sent(thread(ada, 'Which kind?'));
  const annotationIds = [await asked.getAttribute('id')];
  await stage.tenant.must('/v2/commentannotations/delete', { ...PLACE, annotationIds });
  await linus.getByText('“The yellow” was not sent').waitFor();
});

test('a service that is out of reach for a while is not noticed for longer than it takes', async () => {
  const [ada, linus] = [await open('Ada'), await open('Linus')];
  await notes(ada).fill('Before');
  await expect.poll(() => value(linus)).toBe('Before');
  allowLog(NO_NETWORK);
  stage.shut();
  await ada.getByText('No connection.').waitFor();
  await comment(ada, 'the slip is deep', 'Nothing was lost');
  await thread(ada, 'Nothing was lost').getByText('Not sent yet').waitFor();
  await notes(ada).press('Control+End');
  await ada.keyboard.type(' and after');
  // A page that is opened now shows its contents later.
  const late = await linus.context().newPage();
  await late.goto(stage.example.link('Linus'));
  await late.getByText('Connecting …').waitFor();

  stage.open();
  for (const page of [linus, late]) await thread(page, 'Nothing was lost').waitFor();
  await sent(thread(ada, 'Nothing was lost'));
  await expect.poll(() => ada.locator('#status').textContent()).toBe('');
  for (const page of [linus, late]) await expect.poll(() => value(page)).toBe('Before and after');
  await ada.getByText('Saved', { exact: true }).waitFor();
});

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)('the page is accessible in the %s scheme, %i pixels wide', async (colorScheme, width) => {
  const options = { colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' } as const;
  const [ada, linus] = [await open('Ada', options), await open('Linus')];
  const text = `Seen in ${colorScheme} at ${width}`;
  await comment(linus, 'steep waves', text);
  await thread(ada, text).waitFor();
  const resolved = `Resolved in ${colorScheme} at ${width}`;
  await comment(linus, 'a bag that closes', resolved);
  await thread(linus, resolved).getByRole('button', { name: 'Resolve' }).click();
  await ada.getByRole('button', { name: /^Resolved/ }).click();
  await thread(ada, resolved).waitFor();
  allowLog(NO_NETWORK);
  await ada.context().setOffline(true);
  await ada.getByText('No connection.').waitFor();
  expect(await violationsOn(ada, MARKS_MAY_TOUCH)).toEqual([]);
  await ada.context().setOffline(false);
  await ada.locator('#status:empty').waitFor({ state: 'attached' });
  expect(await violationsOn(ada, MARKS_MAY_TOUCH)).toEqual([]);
  await thread(ada, text).locator('.quote').click();
  await thread(ada, text).getByLabel('Reply').pressSequentially('@L');
  await thread(ada, text).getByRole('button', { name: '@Linus Torberg' }).waitFor();
  expect(await violationsOn(ada, MARKS_MAY_TOUCH)).toEqual([]);
  await ada.getByRole('button', { name: /Comment on “Gull Island/ }).click();
  expect(await violationsOn(ada, MARKS_MAY_TOUCH)).toEqual([]);
  await ada.locator('#bell').click();
  expect(await violationsOn(ada, MARKS_MAY_TOUCH)).toEqual([]);
  expect(await ada.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('a comment can be written, sent and left with the keyboard alone', async () => {
  const ada = await open('Ada');
  await ada.getByRole('button', { name: /Comment on “Say where/ }).focus();
  await ada.keyboard.press('Enter');
  await ada.keyboard.type('Not sent');
  await ada.keyboard.press('Escape');
  const focused = () =>
    ada.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
  expect(await focused()).toMatch(/^Comment on “Say where/);
  // What was written is still there.
  await ada.keyboard.press('Enter');
  await ada.keyboard.press('Control+a');
  await ada.keyboard.type('Sent by keyboard');
  await ada.keyboard.press('Control+Enter');
  await thread(ada, 'Sent by keyboard').waitFor();
  await expect.poll(focused).toMatch(/^“Say where/);

  for (const [button, next] of [
    ['Agree', 'Agree: Ada Lovelace'],
    ['Edit', 'Edit the comment'],
  ] as const) {
    await thread(ada, 'Sent by keyboard').getByRole('button', { name: button, exact: true }).focus();
    await ada.keyboard.press('Enter');
    await expect.poll(focused).toBe(next);
  }
  await ada.keyboard.press('Escape');
  expect(await focused()).toBe('Edit');
  await thread(ada, 'Sent by keyboard').getByRole('button', { name: 'Resolve' }).focus();
  await ada.keyboard.press('Enter');
  await thread(ada, 'Sent by keyboard').waitFor({ state: 'detached' });
  expect(await ada.evaluate(() => document.activeElement?.id)).toBe('comments');
});

test('who is signed out meanwhile signs in again in another tab, and nothing is lost', async () => {
  const ada = await open('Ada');
  await ada.context().clearCookies();
  // The token has expired by then.
  await ada.clock.setSystemTime(Date.now() + 48 * 3_600_000);
  await comment(ada, 'most of what looks', 'Written without a session');
  await ada.getByText('You are signed out.').waitFor();
  await thread(ada, 'Written without a session').getByText('Not sent yet').waitFor();
  const other = await openIn(ada.context(), 'Ada');
  await thread(other, 'Written without a session').waitFor();
  await sent(thread(ada, 'Written without a session'));
  expect(await ada.locator('#signed-out').textContent()).toBe('');
});
