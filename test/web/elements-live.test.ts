import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newStoreStage, type StoreStage } from '../client/store-stage.ts';
import { fakeSite } from '../fakes/site.ts';
import type { Connected } from './element-client.ts';
import { type ElementStage, startElementStage } from './element-stage.ts';

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
let service: StoreStage;
let stage: ElementStage;
beforeAll(async () => {
  service = await newStoreStage(cleanUp);
  stage = await startElementStage('element-client.ts');
  cleanUp.push(() => stage.close());
});
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});

/** A page of a user with elements that are connected to the service. */
async function openAs(
  userId: string,
  documentId: string,
  elements: Connected['elements'],
): Promise<{ page: Page; problems: string[] }> {
  const opened = await stage.open();
  const token = await service.tenant.token(userId);
  await opened.page.evaluate((given) => window.connect(given), {
    baseUrl: service.url,
    token,
    documentId,
    elements,
  });
  return opened;
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
  for (const { page } of [ada, bob]) await expect.poll(() => page.locator('rp-presence li').count()).toBe(2);

  await ada.page.getByRole('textbox', { name: 'Comment on the document' }).fill('Too long, @bo');
  await ada.page.getByRole('textbox', { name: 'Comment on the document' }).press('End');
  await ada.page.getByRole('option', { name: /bob/ }).click();
  await ada.page.getByRole('button', { name: 'Comment', exact: true }).click();
  await bob.page.getByText('Too long, @bob').waitFor();
  await bob.page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();

  await bob.page.getByRole('button', { name: /Too long/ }).click();
  await bob.page.getByRole('textbox', { name: 'Reply' }).fill('Better **now**?');
  await bob.page.getByRole('textbox', { name: 'Reply' }).press('Control+Enter');
  await ada.page.getByText('1 reply').waitFor();
  await ada.page.getByRole('button', { name: /Too long/ }).click();
  await ada.page.getByRole('strong').getByText('now').waitFor();
  await ada.page.getByRole('button', { name: 'Resolve' }).click();
  await bob.page.getByText('Resolved').waitFor();

  const { annotations } = service.clientOf('ada');
  const [stored] = await annotations.all({ organizationId: 'acme', documentId });
  expect(stored).toMatchObject({ status: { id: 'RESOLVED' }, from: { userId: 'ada' } });
  expect(stored?.comments.map(({ commentText }) => commentText)).toEqual([
    'Too long, {{bob}}',
    'Better **now**?',
  ]);

  await bob.page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await bob.page.getByRole('button', { name: 'Mark all as read' }).click();
  await bob.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  expect([...ada.problems, ...bob.problems]).toEqual([]);
  await ada.page.context().close();
  await expect.poll(() => bob.page.locator('rp-presence li').count()).toBe(1);
  await bob.page.context().close();
});

test('an own comment is edited, gets a reaction, and is deleted', async () => {
  const place = await service.newDocument();
  const client = service.clientOf('ada');
  await client.annotations.add({
    ...place,
    commentAnnotations: [{ annotationId: 'one', commentData: [{ commentText: 'Frist' }] }],
  });
  const { page, problems } = await openAs('ada', place.documentId, [
    { name: 'rp-thread', attributes: { 'annotation-id': 'one' } },
  ]);
  const stored = async () => (await client.annotations.all(place))[0];
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
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a review is followed to its end, and its findings are decided for good', async () => {
  const site = await fakeSite({ '/': '<a href="/gone">gone</a> <a href="/lost">lost</a>' });
  cleanUp.push(() => site.close());
  const { documentId } = await service.newDocument();
  const { tenant } = service;
  const { reviewId, executionIds } = await tenant.must('/v2/reviews/run', {
    organizationId: 'acme',
    documentId,
    agents: ['broken-links'],
    urls: [site.url],
  });
  const { page, problems } = await openAs('ada', documentId, [
    { name: 'rp-run', attributes: { 'execution-id': executionIds[0] } },
  ]);
  await page.getByText('2 open findings').waitFor();
  await page.getByRole('button', { name: /Broken links/ }).click();
  await page.getByRole('log', { name: 'Log' }).getByRole('listitem').first().waitFor();

  await page.evaluate(() =>
    document.querySelector('rp-provider')!.append(document.createElement('rp-findings')),
  );
  await expect.poll(() => page.locator('rp-findings .row').count()).toBe(2);
  await page
    .getByRole('button', { name: /^Reject:/ })
    .first()
    .click();
  await page.getByRole('textbox').fill('It is a test.');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const decisions = async () => {
    const given = { organizationId: 'acme', documentId, decision: ['rejected', 'undecided'] };
    const { findings } = await tenant.must('/v2/agents/findings/list', given);
    return (findings as { decision?: string; reason?: string }[])
      .map(({ decision, reason }) => [decision, reason])
      .sort();
  };
  expect(await decisions()).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  // Leaving the page sends what waits.
  await page.goto('about:blank');
  await expect.poll(decisions).toContainEqual(['rejected', 'It is a test.']);
  const { review } = await tenant.must('/v2/reviews/get', { reviewId });
  expect(review).toMatchObject({ status: 'ended' });
  expect(problems).toEqual([]);
  await page.context().close();
});
