import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newStoreStage, type StoreStage } from '../client/store-stage.ts';
import { fakeSite } from '../fakes/site.ts';
import type { Connected } from './element-client.ts';
import { type ElementStage, startElementStage } from './element-stage.ts';

let service: StoreStage;
let stage: ElementStage;
beforeAll(async () => {
  service = await newStoreStage();
  stage = await startElementStage('element-client.ts', { url: service.url, headers: service.tenant.headers });
});

/** Starts a review of a page with two broken links. */
async function startReview(documentId: string): Promise<{ reviewId: string; executionIds: string[] }> {
  const site = await fakeSite({ '/': '<a href="/gone">gone</a> <a href="/lost">lost</a>' });
  const given = { organizationId: 'acme', documentId, agents: ['broken-links'], urls: [site.url] };
  return await service.tenant.must('/v2/reviews/run', given);
}

const add = (page: Page, { name, attributes = {} }: Connected['elements'][number]): Promise<void> =>
  page.evaluate(
    ([tag, given]) => {
      const element = document.createElement(tag);
      for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
      document.querySelector('rp-provider')!.append(element);
    },
    [name, attributes] as const,
  );

/** A page of a user with elements that are connected to the service. */
async function openAs(userId: string, documentId: string, elements: Connected['elements']): Promise<Page> {
  const page = await stage.open();
  const token = await service.tenant.token(userId);
  await page.evaluate((given) => window.connect(given), {
    baseUrl: service.url,
    token,
    documentId,
    elements,
  });
  return page;
}

test('people comment, mention, answer and resolve, and see what the others do', async () => {
  const { documentId } = await service.newDocument();
  const all = [
    { name: 'rp-threads' },
    { name: 'rp-inbox' },
    { name: 'rp-presence', attributes: { join: '' } },
  ];
  const ada = await openAs('ada', documentId, all);
  const bob = await openAs('bob', documentId, all);
  // Both have opened the document, so each sees the other.
  for (const page of [ada, bob]) await expect.poll(() => page.locator('rp-presence li').count()).toBe(2);

  await ada.getByRole('textbox', { name: 'Comment on the document' }).fill('Too long, @bo');
  await ada.getByRole('textbox', { name: 'Comment on the document' }).press('End');
  await ada.getByRole('option', { name: /bob/ }).click();
  await ada.getByRole('button', { name: 'Comment', exact: true }).click();
  await bob.getByText('Too long, @bob').waitFor();
  await bob.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();

  await bob.getByRole('button', { name: /Too long/ }).click();
  await bob.getByRole('textbox', { name: 'Reply' }).fill('Better **now**?');
  await bob.getByRole('textbox', { name: 'Reply' }).press('Control+Enter');
  await ada.getByText('1 reply').waitFor();
  await ada.getByRole('button', { name: /Too long/ }).click();
  await ada.getByRole('strong').getByText('now').waitFor();
  await ada.getByRole('button', { name: 'Resolve' }).click();
  await bob.locator('rp-thread').getByText('Resolved').waitFor();

  const { annotations } = service.clientOf('ada');
  const [stored] = await annotations.all({ organizationId: 'acme', documentId }, { max: 10 });
  expect(stored).toMatchObject({ status: { id: 'RESOLVED' }, from: { userId: 'ada' } });
  expect(stored?.comments.map(({ commentText }) => commentText)).toEqual([
    'Too long, {{bob}}',
    'Better **now**?',
  ]);

  await bob.getByRole('button', { name: /^Notifications, \d unread/ }).click();
  await bob.getByRole('button', { name: 'Mark all as read' }).click();
  await bob.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  // Leaving the page says good-bye; the process of a browser that ends may not.
  await ada.goto('about:blank');
  await expect.poll(() => bob.locator('rp-presence li').count()).toBe(1);
});

test('an own comment is edited, gets a reaction, and is deleted', async () => {
  const place = await service.newDocument();
  const client = service.clientOf('ada');
  await client.annotations.add({
    ...place,
    commentAnnotations: [{ annotationId: 'one', commentData: [{ commentText: 'Frist' }] }],
  });
  const page = await openAs('ada', place.documentId, [
    { name: 'rp-thread', attributes: { 'annotation-id': 'one' } },
  ]);
  const stored = async () => (await client.annotations.all(place, { max: 10 }))[0];
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit' }).fill('First');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await stored())?.comments[0]?.commentText).toBe('First');
  await page.getByRole('button', { name: 'Add a reaction' }).click();
  await page.getByRole('button', { name: '🎉, 0 reactions' }).click();
  await page.getByRole('button', { name: '🎉, 1 reaction', pressed: true }).waitFor();
  await expect.poll(async () => (await stored())?.comments[0]?.reactions?.[0]?.count).toBe(1);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('group', { name: 'Delete the comment?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await page.getByText('There is no such thread.').waitFor();
  await expect.poll(stored).toBeUndefined();
});

test('a user follows a run of the document, and reads its findings', async () => {
  const { documentId } = await service.newDocument();
  const { executionIds } = await startReview(documentId);
  const attributes = { 'execution-id': executionIds[0]! };
  const page = await openAs('ada', documentId, [{ name: 'rp-run', attributes }]);
  await page.getByText('2 open findings').last().waitFor();
  await page.getByRole('button', { name: /links/ }).click();
  await page.getByRole('log', { name: 'Log' }).getByRole('listitem').first().waitFor();
  await add(page, { name: 'rp-findings', attributes });
  await expect.poll(() => page.locator('rp-findings .row').count()).toBe(2);
  // The list of decisions is for API keys and people who have signed in to the console.
  expect(await page.getByRole('button', { name: /^Reject:/ }).count()).toBe(0);
});

test('a review is followed to its end, and its findings are decided when this can no longer be undone', async () => {
  const { documentId } = await service.newDocument();
  const { tenant } = service;
  const { reviewId } = await startReview(documentId);
  const page = await stage.open();
  const elements = [{ name: 'rp-run', attributes: { 'review-id': reviewId } }];
  await page.evaluate((given) => window.connect(given), { baseUrl: stage.url, documentId, elements });
  await page.getByText('2 open findings').last().waitFor();
  await add(page, { name: 'rp-findings', attributes: {} });
  await page
    .getByRole('button', { name: /^Reject:/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: /^Why/ }).fill('It is a test.');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const decided = async () => {
    const given = { organizationId: 'acme', documentId, decision: ['rejected'] };
    return (await tenant.must('/v2/agents/findings/list', given)).findings;
  };
  expect(await decided()).toEqual([]);
  // Leaving the page sends what waits.
  await page.goto('about:blank');
  await expect
    .poll(decided)
    .toMatchObject([{ reason: 'It is a test.', decidedBy: { userId: 'eve', name: 'Eve' } }]);
});
