import { beforeAll, expect, test } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { expectLog } from '../run/log-watch.ts';
import { type ConsoleStage, type ConsoleWindow, createConsoleStage } from './console-stage.ts';
import { endUndo } from './hold-undo.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six'];
const PAGE = `<!doctype html><html lang="en"><title>Boats</title><body>
${NAMES.map((name) => `<p>The <a href="/${name}">boat ${name}</a></p>`).join('\n')}</body></html>`;

let stage: ConsoleStage;
let site: Awaited<ReturnType<typeof fakeSite>>;
let shown: ConsoleWindow;

/** Findings of a review without a document, whose decisions can be taken back. */
beforeAll(async () => {
  site = await fakeSite({ '/': PAGE });
  stage = await createConsoleStage();
  shown = await stage.open();
  const { agentId } = await shown.call('/v2/agents/create', {
    name: 'Links',
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
  });
  const { reviewId } = await shown.call('/v2/reviews/run', { urls: [`${site.url}/`], agents: [agentId] });
  await stage.endOf(reviewId);
});

const rows = () => shown.page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => shown.page.keyboard.press(key)), Promise.resolve());

/** Titles with the decisions that the service has. */
async function decisions(): Promise<Record<string, string>> {
  const { findings } = await shown.call('/v2/agents/findings/list', {
    decision: ['accepted', 'rejected', 'resolved'],
  });
  return Object.fromEntries(
    findings.map(({ url, decision, reason }: { url: string; decision: string; reason?: string }) => [
      new URL(url).pathname.slice(1),
      reason ? `${decision}: ${reason}` : decision,
    ]),
  );
}

test('findings are triaged by the keyboard alone', async () => {
  await shown.goTo('/findings?group=none');
  await rows().nth(5).waitFor();
  await press('j', 'Enter');
  const panel = shown.page.getByRole('complementary', { name: 'Finding' });
  const first = await panel.getByRole('heading', { level: 2 }).textContent();
  await press('j');
  await expect.poll(() => panel.getByRole('heading', { level: 2 }).textContent()).not.toBe(first);
  await press('Escape');
  await panel.waitFor({ state: 'detached' });

  // Accepts the second, and rejects the third with a reason.
  await press('a', 'j', 'r');
  const dialog = shown.page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('It is a sample.');
  await press('Tab', 'Tab');
  await shown.page.getByRole('button', { name: 'Reject', exact: true }).last().focus();
  await press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => rows().count()).toBe(5);
  // Leaving the page sends what could still be undone.
  await shown.goTo('/findings?decision=rejected');
  await rows().first().waitFor();
  await expect
    .poll(async () => Object.values(await decisions()).sort())
    .toEqual(['accepted', 'rejected: It is a sample.']);
});

test('the focus follows the cursor before the next frame', async () => {
  await shown.goTo('/findings?group=none&decision=undecided');
  await rows().nth(3).waitFor();
  // A busy machine draws late, and keys do not wait for it.
  await shown.page.evaluate(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
  const place = () =>
    shown.page.evaluate('document.activeElement?.closest("[data-index]")?.getAttribute("data-index")');
  const places: unknown[] = [];
  for (const key of ['j', 'j']) {
    await press(key);
    places.push(await place());
  }
  await shown.page.reload();
  expect(places).toEqual(['0', '1']);
});

test('several findings are rejected with a reason at once, and the decision is undone', async () => {
  await shown.goTo('/findings?group=none&decision=undecided');
  await rows().nth(3).waitFor();
  await press('j', 'x', 'j', 'x', 'r');
  const dialog = shown.page.getByRole('dialog');
  await dialog.getByText('Reject 2 findings').waitFor();
  await dialog.getByLabel('Reason').fill('Known.');
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect.poll(() => rows().count()).toBe(2);
  await shown.page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => rows().count()).toBe(4);
  await shown.page.reload();
  await rows().nth(3).waitFor();
  expect(Object.values(await decisions())).not.toContain('rejected: Known.');
});

test('filters in the address survive a reload', async () => {
  await shown.goTo('/findings?decision=all');
  await shown.page.getByRole('searchbox', { name: 'Search findings' }).fill('boat four');
  await shown.page.waitForURL(/text=/);
  await shown.page.getByRole('button', { name: 'High', exact: true }).click();
  await shown.page.waitForURL(/severity=/);
  await expect.poll(() => rows().count()).toBe(1);
  await shown.page.reload();
  await expect.poll(() => rows().count()).toBe(1);
  expect(await shown.page.getByRole('searchbox', { name: 'Search findings' }).inputValue()).toBe('boat four');
  expect(
    await shown.page.getByRole('button', { name: 'High', exact: true }).getAttribute('aria-pressed'),
  ).toBe('true');
});

test('a decision is sent when the window goes while it shows another page', async () => {
  await shown.goTo('/findings?group=none&decision=undecided');
  await rows().first().waitFor();
  await press('j', 'e');
  await shown.page.getByRole('link', { name: 'Settings' }).click();
  await shown.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(Object.values(await decisions())).not.toContain('resolved');
  await shown.goTo('/settings?tab=about');
  await expect.poll(async () => Object.values(await decisions())).toContain('resolved');
});

test('a decision whose session has ended is sent after the next sign-in', async () => {
  const address = '/findings?group=none&decision=undecided';
  const { page, call } = await stage.open(address, { link: await stage.link() });
  const findings = page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  await findings.first().waitFor();
  const accepted = async () =>
    (await call('/v2/agents/findings/list', { decision: ['accepted'] })).findings.length;
  const before = await accepted();
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  expectLog(/Failed to load resource.*\b401\b/);
  await call('/v2/session/end', {});
  await endUndo(page);
  const ended = page.getByRole('alertdialog', { name: 'Your session has ended' });
  await ended.waitFor();
  const tab = await page.context().newPage();
  await tab.goto(await stage.link());
  await ended.waitFor({ state: 'detached' });
  await expect.poll(accepted).toBe(before + 1);
});

test('what is typed while the palette loads goes into it, and decides on nothing', async () => {
  const { page, call } = await stage.open('/findings?group=none&decision=undecided');
  const findings = page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  await findings.first().waitFor();
  const counts = () => call('/v2/agents/findings/count', { decision: ['undecided', 'resolved'] });
  const before = await counts();
  const isTyped = Promise.withResolvers<void>();
  await page.route(/command-palette/, async (route) => {
    await isTyped.promise;
    await route.continue();
  });
  const isAsked = page.waitForRequest(/command-palette/);
  await page.keyboard.press('Control+k');
  await isAsked;
  await page.keyboard.type('webe');
  await page.keyboard.press('Backspace');
  isTyped.resolve();
  const field = page.getByRole('dialog', { name: 'Find or go to' }).getByRole('searchbox');
  await expect.poll(() => field.inputValue()).toBe('web');
  await page.keyboard.type('h');
  expect(await field.inputValue()).toBe('webh');
  await expect.poll(() => field.getAttribute('aria-activedescendant')).toBeTruthy();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  expect(await counts()).toEqual(before);
});

test('choices of a filter that cannot be read say so, and are read again', async () => {
  const error = { status: 'PERMISSION_DENIED', message: 'The rules are not for you.' };
  expectLog(/Failed to load resource.*\b403\b/);
  await shown.page.route('**/v2/agents/rules', (route) => route.fulfill({ status: 403, json: { error } }));
  await shown.goTo('/findings');
  await shown.page.getByRole('button', { name: 'Filter' }).click();
  const filters = shown.page.getByRole('dialog', { name: 'More filters' });
  await filters.getByRole('alert').getByText('The rules are not for you.').waitFor();
  await shown.page.unroute('**/v2/agents/rules');
  await filters.getByRole('button', { name: 'Try again' }).click();
  await filters.getByRole('alert').waitFor({ state: 'detached' });
});
