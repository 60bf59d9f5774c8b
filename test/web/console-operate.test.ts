import { beforeAll, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { atEnd } from '../run/at-end.ts';
import { until } from '../run/until.ts';
import { type ConsoleStage, createConsoleStage } from './console-stage.ts';

let stage: ConsoleStage;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  atEnd(() => receiver[Symbol.asyncDispose]());
  stage = await createConsoleStage();
});

test('an endpoint is created, tested, and sent its message again, whose signature the page verifies', async () => {
  const { page, call } = await stage.open('/webhooks');
  await page.getByRole('button', { name: 'Turn webhooks on' }).click();
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add endpoint' });
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await form.getByText('Type an address that begins with').waitFor();
  await form.getByLabel('Address').fill(receiver.url('/hooks'));
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await form.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: `Actions for ${receiver.url('/hooks')}` }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  const test = page.getByRole('dialog', { name: 'Send a test' });
  await test.getByRole('button', { name: 'Send', exact: true }).click();
  await test.getByText('HTTP 200').waitFor();
  await test.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await page.getByRole('button', { name: 'comment_annotation.add' }).click();
  const delivery = page.getByRole('dialog', { name: 'comment_annotation.add' });
  const { id } = receiver.at('/hooks')[0]!;
  await delivery.getByRole('group', { name: 'Message' }).getByText(id).waitFor();
  await delivery.getByRole('button', { name: 'Send again' }).click();
  await until(() => receiver.at('/hooks').length === 2, 'the message to arrive again');
  expect(receiver.at('/hooks')[1]!.id).toBe(id);
  await delivery.getByRole('button', { name: 'Close' }).click();

  const { endpoints } = await call('/v2/workspace/advancedwebhook/endpoints/get', {});
  const { secret } = await call('/v2/workspace/advancedwebhook/endpoints/secret/get', {
    endpointId: endpoints[0].id,
  });
  const { raw, headers } = receiver.at('/hooks')[1]!;
  await page.getByRole('tab', { name: 'Signature checker' }).click();
  await page.getByLabel('Body').fill(raw.toString());
  await page.getByLabel('Headers').fill(JSON.stringify(headers));
  await page.getByLabel('Secret').fill(secret);
  await page.getByRole('button', { name: 'Check the signature' }).click();
  await page.getByText('Verified: this body was signed with this secret.').waitFor();
  await page.getByLabel('Body').fill(`${raw} `);
  await page.getByRole('button', { name: 'Check the signature' }).click();
  await page.getByText('Not verified: The signature is wrong.').waitFor();
});

test('the page explains by which rule a user has access, and a grant changes it', async () => {
  const { page, call, goTo } = await stage.open();
  await call('/v2/users/add', {
    organizationId: 'acme',
    users: [{ userId: 'eve', name: 'Eve', accessRole: 'viewer' }],
  });
  await call('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'plans', accessType: 'restricted' }],
  });
  await goTo('/people?tab=why&organization=acme&user=eve&document=plans');
  await page.getByText('eve may not open the document plans of acme.').waitFor();
  const rules = page.getByRole('list', { name: 'Rules in their order' });
  const decided = rules.getByRole('listitem').filter({ hasText: 'This rule decided.' });
  expect(await decided.innerText()).toContain('Is the organization granted?');

  await page.getByRole('button', { name: 'Grant access' }).click();
  const grant = page.getByRole('dialog', { name: 'Grant access to eve' });
  await grant.getByRole('button', { name: 'Grant access' }).click();
  await page.getByText('eve may read the document plans of acme.').waitFor();
  expect(await decided.innerText()).toContain('Is the document itself granted?');

  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  const revoke = page.getByRole('alertdialog', { name: 'Revoke grants of eve?' });
  await revoke.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('eve may not open the document plans of acme.').waitFor();
});
