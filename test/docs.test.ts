import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Document, printNames, printOperations } from '../packages/client/generate/operations.ts';
import { printWebhookMessages } from '../packages/client/generate/webhook-messages.ts';
import { routes } from '../src/api/index.ts';
import { buildOpenApi } from '../src/http/openapi/openapi.ts';
import { printApi, printRunning } from '../src/roles/docs/print-docs.ts';
import { allEventTypes, describeEvent } from '../src/webhooks/catalog/message-body.ts';
import { readAlerts } from './house/alert-rules.ts';
import { printFloors } from './house/floors-picture.ts';
import { testApp } from './service/harness.ts';

// `npm run docs` updates the files.
test('docs/api.md is up to date with the operations', async () => {
  await expect(printApi(routes)).toMatchFileSnapshot('../docs/api.md');
});

test('docs/running.md is up to date with the settings and metrics', async () => {
  const { app } = await testApp();
  await expect(printRunning(app.metrics.list(), readAlerts())).toMatchFileSnapshot('../docs/running.md');
});

test('docs/architecture.md is up to date with the tested floors', async () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/architecture.md'), 'utf8');
  const picture = /(?<=<!-- floors -->\n```text\n)[\s\S]*?(?=\n```)/;
  expect(text).toMatch(picture);
  await expect(text.replace(picture, () => printFloors())).toMatchFileSnapshot('../docs/architecture.md');
});

test('the types and names of the client are up to date with the operations and webhooks', async () => {
  const document = buildOpenApi(routes) as unknown as Document;
  const folder = '../packages/client/src';
  await expect(printOperations(document)).toMatchFileSnapshot(`${folder}/operations.ts`);
  await expect(printNames(document)).toMatchFileSnapshot(`${folder}/names.ts`);
  const messages = printWebhookMessages(allEventTypes.map(describeEvent));
  await expect(messages).toMatchFileSnapshot(`${folder}/webhook-messages.ts`);
});
