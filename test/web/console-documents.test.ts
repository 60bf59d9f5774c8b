import { beforeAll, expect, test } from 'vitest';
import { type ConsoleStage, type ConsoleWindow, createConsoleStage } from './console-stage.ts';

let stage: ConsoleStage;
let ada: ConsoleWindow;
const place = { organizationId: 'acme', documentId: 'website' };

beforeAll(async () => {
  stage = await createConsoleStage();
  ada = await stage.open('/documents');
});

const threadList = ({ page }: ConsoleWindow) => page.getByRole('list', { name: 'Threads' });

test('an organization gets a folder and a document, which is moved and deleted', async () => {
  const { page } = ada;
  await page.getByRole('button', { name: 'New organization' }).click();
  await page.getByLabel('Name').fill('Acme');
  expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('acme');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByLabel('Name').fill('Print');
  await page.getByRole('button', { name: 'Create' }).click();
  const folders = page.getByRole('navigation', { name: 'Folders' });
  await folders.getByRole('link', { name: 'Print' }).waitFor();

  for (const name of ['Website', 'Catalogue']) {
    await page.getByRole('button', { name: 'New document' }).first().click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name }).waitFor();
  }
  await page.getByRole('button', { name: 'Actions on Catalogue' }).click();
  await page.getByRole('menuitem', { name: 'Move' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Folder/ })
    .click();
  await page.getByRole('option', { name: 'Print' }).click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await folders.getByRole('link', { name: 'Print' }).click();
  await page.getByRole('link', { name: 'Catalogue' }).waitFor();
  expect(await page.getByRole('link', { name: 'Website' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Actions on Catalogue' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const asked = page.getByRole('alertdialog');
  await asked.getByText('Its threads and suggestions go with it').waitFor();
  await asked.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No document here yet').waitFor();
  const documents = await ada.call('/v2/organizations/documents/get', { organizationId: 'acme' });
  expect(documents.map(({ id }: { id: string }) => id)).toEqual(['website']);
});

test('a comment is seen in a second browser at once, and answered there', async () => {
  await ada.goTo('/documents/acme/website');
  const bob = await stage.open('/documents/acme/website');
  await bob.page.getByText('Live', { exact: true }).waitFor();
  await ada.page.getByRole('button', { name: 'New thread' }).first().click();
  await ada.page.getByRole('textbox', { name: 'Comment' }).fill('Shorter, please.');
  await ada.page.keyboard.press('Control+Enter');
  await threadList(bob).getByText('Shorter, please.').click();
  await bob.page.getByRole('textbox', { name: 'Reply' }).fill('How short?');
  await bob.page.keyboard.press('Control+Enter');
  const panel = ada.page.getByRole('complementary', { name: 'Thread' });
  await panel.getByText('How short?').waitFor();

  // What is typed into a field of an element is no shortcut of the page.
  await bob.page.getByRole('textbox', { name: 'Reply' }).fill('');
  await bob.page.getByRole('textbox', { name: 'Reply' }).pressSequentially('jk?');
  expect(await bob.page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('jk?');

  await panel.getByRole('button', { name: 'Add a reaction' }).first().click();
  await panel.getByRole('button', { name: '👍, 0 reactions' }).click();
  await bob.page.getByRole('button', { name: '👍, 1 reaction' }).waitFor();
  await panel.getByRole('button', { name: 'Edit' }).first().click();
  await panel.getByRole('textbox', { name: 'Edit' }).fill('Much shorter, please.');
  await panel.getByRole('button', { name: 'Save' }).click();
  await bob.page.getByRole('heading', { name: 'Much shorter, please.' }).waitFor();

  // Undoing brings the status back that the thread had.
  const statusOf = async () => (await ada.call('/v2/commentannotations/get', place))[0].status.id;
  const [{ annotationId }] = await ada.call('/v2/commentannotations/get', place);
  const updatedData = { status: { id: 'IN_PROGRESS' } };
  await ada.call('/v2/commentannotations/update', { ...place, annotationIds: [annotationId], updatedData });
  await panel.getByText('In Progress').waitFor();
  await panel.getByRole('button', { name: 'Resolve' }).click();
  await bob.page.getByRole('complementary', { name: 'Thread' }).getByText('Resolved').waitFor();
  await ada.page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(statusOf).toBe('IN_PROGRESS');
});

test('a suggestion shows what it changes, and is decided after the time in which it can be undone', async () => {
  await ada.call('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      {
        annotationId: 'offer',
        type: 'suggestion',
        suggestion: { oldValue: 'We build kayaks.', newValue: 'We build sea kayaks.' },
        commentData: [{ commentText: 'More precise.', from: { userId: 'eve', name: 'Eve' } }],
      },
      {
        annotationId: 'title',
        type: 'suggestion',
        suggestion: { oldValue: 'Kayaks', newValue: 'Sea kayaks' },
        commentData: [{ commentText: 'So is this.', from: { userId: 'eve', name: 'Eve' } }],
      },
    ],
  });
  await ada.goTo('/documents/acme/website?annotation=offer');
  const box = ada.page.getByRole('region', { name: 'Suggestion' });
  const added = async () => (await box.locator('ins').textContent())?.replaceAll(/\s+/g, ' ').trim();
  await expect.poll(added).toBe('Added: sea');
  const statusOf = async (id: string) => {
    const [annotation] = await ada.call('/v2/commentannotations/get', { ...place, annotationIds: [id] });
    return annotation.suggestion.status;
  };
  await box.getByRole('button', { name: 'Accept' }).click();
  await ada.page.getByRole('button', { name: 'Undo' }).click();
  await box.getByRole('button', { name: 'Accept' }).click();
  expect(await statusOf('offer')).toBe('pending');
  // Opening another page is no time to undo it.
  await ada.page.getByRole('link', { name: 'Acme' }).click();
  await expect.poll(() => statusOf('offer')).toBe('accepted');
  await ada.goTo('/documents/acme/website?annotation=offer');
  await box.getByText('Accepted · Decided by').waitFor();

  // Neither is a page that goes: nothing of it is left to send the decision later.
  const eve = await stage.open('/documents/acme/website?annotation=title');
  const other = eve.page.getByRole('region', { name: 'Suggestion' });
  await other.getByRole('button', { name: 'Accept' }).click();
  await eve.page.getByText('The decision is sent in a few seconds').waitFor();
  await eve.page.close();
  await expect.poll(() => statusOf('title')).toBe('accepted');
});

test('what others write is unread until the thread is opened', async () => {
  await ada.call('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      {
        annotationId: 'prices',
        commentData: [{ commentText: 'With tax?', from: { userId: 'eve', name: 'Eve' } }],
      },
    ],
  });
  await ada.goTo('/documents/acme/website?unread=true');
  await threadList(ada).getByText('With tax?').click();
  const count = async () =>
    (
      await ada.call('/v2/commentannotations/get', {
        ...place,
        annotationIds: ['prices'],
        unreadFor: (await session(ada)).accountId,
      })
    )[0].isUnread;
  await expect.poll(count).toBe(false);
});

test('keys reach the fields of a thread that is shown over the list', async () => {
  const { page } = await stage.open('/documents/acme/website?annotation=prices', { width: 390 });
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Reply' });
  await field.waitFor();
  for (let steps = 0; steps < 30 && !(await field.evaluate((one) => one.matches(':focus'))); steps++)
    await page.keyboard.press('Tab');
  await page.keyboard.type('Without.');
  expect(await field.inputValue()).toBe('Without.');
});

test('a viewer reads an unread thread without asking for what viewers may not do', async () => {
  const link = await ada.page.evaluate(async (workspaceId) => {
    const data = { email: 'vera@example.com', name: 'Vera', role: 'viewer' };
    const headers = { 'content-type': 'application/json', 'x-redpen-workspace': workspaceId };
    const answer = await fetch('/v2/members/invite', {
      method: 'POST',
      headers,
      body: JSON.stringify({ data }),
    });
    return (await answer.json()).result.data.url;
  }, stage.tenant.workspaceId);
  const vera = await stage.open('/documents/acme/website?annotation=prices', { link });
  await vera.page.getByRole('heading', { name: 'With tax?' }).waitFor();
  await vera.page.getByText('Live', { exact: true }).waitFor();
  const thread = vera.page.getByRole('complementary', { name: 'Thread' });
  await thread.locator('rp-thread').getByText('With tax?').waitFor();
  // The only button of the panel closes it.
  expect(await thread.getByRole('button').count()).toBe(1);
  expect(await thread.getByRole('textbox').count()).toBe(0);
  await vera.page.getByRole('button', { name: 'Close' }).click();
  await vera.page.getByRole('complementary', { name: 'Thread' }).waitFor({ state: 'detached' });
});

const session = async ({ call }: ConsoleWindow): Promise<{ accountId: string }> =>
  (await call('/v2/session/get', {})).account;
