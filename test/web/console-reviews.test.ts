import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { atEnd } from '../run/at-end.ts';
import { expectLog } from '../run/log-watch.ts';
import { expireLeases } from '../service/expire-leases.ts';
import { ownService } from '../service/worker-service.ts';
import { type ConsoleStage, type ConsoleWindow, createConsoleStage } from './console-stage.ts';

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

const HOME = page(
  'Boats',
  `<p>We recieve guests on the pier every morning.</p><img src="/boat.svg"><p><a href="/gone">Our boats</a></p>
  <p><a href="/next">The next page</a></p>`,
);
const NEXT = page('Next', '<p>We definately build wooden boats.</p><p><a href="/lost">Lost</a></p>');

/** Pages whose second one answers only while the gate is open. */
async function gatedSite() {
  let open = () => {};
  let gate: Promise<void> = Promise.resolve();
  let isReached = () => {};
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const html = path === '/' ? HOME : path === '/next' ? NEXT : undefined;
    const answer = () => {
      response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(request.method === 'HEAD' ? undefined : (html ?? page('Gone', '')));
    };
    if (path !== '/next') return answer();
    isReached();
    void gate.then(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Shuts the gate; resolves when the second page is asked for. */
    shut(): Promise<void> {
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return new Promise((resolve) => {
        isReached = resolve;
      });
    },
    open: () => open(),
  };
}

let site: Awaited<ReturnType<typeof gatedSite>>;
let stage: ConsoleStage;

beforeAll(async () => {
  site = await gatedSite();
  stage = await createConsoleStage();
});

const AGENTS = ['spell-check', 'broken-links'];

/** Starts a review by the API and opens its page. */
async function review(shown: ConsoleWindow, data: object = {}): Promise<string> {
  const { reviewId } = await shown.call('/v2/reviews/run', {
    urls: [`${site.url}/`],
    agents: AGENTS,
    screenshots: 'all',
    ...data,
  });
  await shown.goTo(`/reviews/${reviewId}`);
  return reviewId;
}

const findingsOf = async ({ call }: ConsoleWindow, query: object) =>
  (
    await call('/v2/agents/findings/list', {
      decision: ['undecided', 'accepted', 'rejected', 'resolved'],
      ...query,
    })
  ).findings as { id: string; title: string; decision?: string; reason?: string }[];

test('an address that is typed becomes a picture with pins, which can be kept as a project', async () => {
  const shown = await stage.open();
  const { page, call } = shown;
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('10.1.2.3');
  expectLog(/Failed to load resource/);
  await page.keyboard.press('Enter');
  await page.getByText('redpen allow-host 10.1.2.3:443', { exact: true }).waitFor();
  await page.getByLabel('Address of the page').fill(new URL(site.url).host);
  await page.keyboard.press('Enter');
  await page.locator('rp-pins .pin').first().waitFor();
  await page.getByText('Misspelled').first().waitFor();
  await page.getByText('This is a first look.').waitFor();

  await page.getByRole('button', { name: 'Keep as project' }).click();
  await page.getByLabel('Project name').fill('Boat shop');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByText('This is a first look.').waitFor({ state: 'detached' });
  const organizationId = new URL(site.url).host.replace(':', '-');
  expect(await call('/v2/organizations/documents/get', { organizationId })).toMatchObject([
    { id: 'home', documentName: 'Boat shop', trial: false },
  ]);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Start' }).click();
  await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
});

test('pins and list are one selection, and keys decide with a way back', async () => {
  const shown = await stage.open();
  const { page } = shown;
  const reviewId = await review(shown);
  await page.getByText('Done').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Run again' }).waitFor();

  const card = page.locator('article', { hasText: 'recieve' });
  await card.getByRole('button').click();
  const number = await card.locator('[data-severity]').innerText();
  const pin = page.locator(`rp-pins .pin[aria-current="true"]`);
  await pin.waitFor().catch(async (error: Error) => {
    const shownText = await page.locator('main').innerText();
    throw new Error(`No pin is selected at ${page.url()}, which shows:\n${shownText}`, { cause: error });
  });
  expect(await pin.innerText()).toContain(number.replace(/\D/g, ''));
  expect(new URL(page.url()).searchParams.get('finding')).not.toBeNull();
  await page.locator('rp-pins .pin:not([aria-current])').first().click();
  await expect.poll(() => card.getAttribute('data-current')).toBeNull();

  await card.getByRole('button').click();
  await page.keyboard.press('a');
  await card.getByText('Accepted').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await card.getByText('Accepted').waitFor({ state: 'detached' });

  await page.keyboard.press('Escape');
  await page.locator('article[data-current]').waitFor({ state: 'detached' });
  await card.getByRole('button').click();
  await page.locator('article[data-current]').waitFor();
  await page.keyboard.press('r');
  await page.getByLabel('Reason').fill('The old spelling of the house.');
  await page.getByRole('button', { name: 'Reject', exact: true }).last().click();
  await card.waitFor({ state: 'detached' });
  // Leaving the page ends the time in which the decision can be undone.
  await shown.goTo('/reviews');
  const { executions } = (await shown.call('/v2/reviews/get', { reviewId })).review;
  const spelling = executions.find(({ agentId }: { agentId: string }) => agentId === 'spell-check');
  const decided = async () =>
    (await findingsOf(shown, { executionId: spelling.executionId }))
      .filter(({ decision }) => decision !== undefined)
      .map(({ decision, reason }) => ({ decision, reason }));
  await expect.poll(decided).toEqual([{ decision: 'rejected', reason: 'The old spelling of the house.' }]);

  await page
    .getByRole('link', { name: new URL(site.url).host })
    .first()
    .click();
  await page.getByRole('button', { name: /Decision/ }).click();
  await page.getByRole('option', { name: 'Decided', exact: true }).click();
  await page.locator('article').first().waitFor();
  expect(await page.locator('article').count()).toBe(1);
});

test('a review goes on in the page when the service is killed under it, and no line of its log is missed', async () => {
  expectLog(/run resumed after its process was lost/);
  const service = await ownService();
  const shown = await (await createConsoleStage(service)).open();
  const { page, call } = shown;
  const reached = site.shut();
  const reviewId = await review(shown, {
    crossPageExecute: true,
    maxUrlsToProcess: 2,
    agents: ['spell-check'],
  });
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByText(/^Started: Spell check/).waitFor();
  await reached;
  expectLog(/ERR_CONNECTION_REFUSED/);
  await service.kill('SIGKILL');
  await page.getByText('The service does not answer.').waitFor();
  await expireLeases(service.databaseUrl, service);
  await service.restart();
  site.open();
  await page.getByText('The service does not answer.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Run again' }).waitFor();

  const [{ executionId }] = (await call('/v2/reviews/get', { reviewId })).review.executions;
  const { events } = await call('/v2/agents/execution/events', { executionId, limit: 500 });
  await page.getByText(`${events.length} lines`, { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Findings' }).click();
  await page.locator('article', { hasText: 'definately' }).waitFor();
});

test('a report is shared with people who have no account, and exported', async () => {
  const shown = await stage.open();
  const { page } = shown;
  await review(shown);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = await page.locator('pre').innerText();
  const report = await fetch(link);
  expect([report.status, report.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Run again' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  expect(readFileSync(await file.path(), 'utf8')).toContain('recieve');
});

test('a review of chosen agents is started from the list', async () => {
  const shown = await stage.open('/reviews');
  const { page, call } = shown;
  await page.getByRole('button', { name: 'New review' }).click();
  await page.getByRole('button', { name: 'Start the review' }).click();
  await page.getByText('Write at least one address.').waitFor();
  await page.getByRole('textbox', { name: 'Pages' }).fill(new URL(site.url).host);
  await page.getByText('Agents of your choice').click();
  await page.getByText('Broken links', { exact: true }).click();
  await page.getByRole('button', { name: 'Start the review' }).click();
  await page.waitForURL(/\/reviews\/review_/);
  const reviewId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!);
  expect((await call('/v2/reviews/get', { reviewId })).review).toMatchObject({
    urls: [`${site.url}/`],
    agents: [{ agentId: 'broken-links' }],
    config: { crossPageExecute: false },
  });
  // The site is there until its review has ended.
  await page.getByRole('button', { name: 'Run again' }).waitFor();
});
