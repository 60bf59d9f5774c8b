import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { newStoreStage, type StoreStage } from '../client/store-stage.ts';
import { bundleElements, type ElementStage, startElementStage } from './element-stage.ts';

let service: StoreStage;
let stage: ElementStage;
beforeAll(async () => {
  service = await newStoreStage();
  stage = await startElementStage('element-react.ts');
});

test('React sets properties, gets events, and its hooks have the state of the stores', async () => {
  const { documentId, organizationId } = await service.newDocument();
  const page = await stage.open();
  const token = await service.tenant.token('ada');
  await page.evaluate((given) => window.mount(given), {
    baseUrl: service.url,
    token,
    documentId,
    elements: [],
  });
  await page.getByText('live: 0').waitFor();
  const title = page.getByRole('button', { name: 'Link leads nowhere', exact: true });
  await title.click();
  await page.getByText('Selected: one').waitFor();
  expect(await title.getAttribute('aria-expanded')).toBe('true');
  const commentAnnotations = [{ commentData: [{ commentText: 'From elsewhere' }] }];
  await service.clientOf('bob').annotations.add({ organizationId, documentId, commentAnnotations });
  await page.getByText('live: 1').waitFor();
  await page.getByText('From elsewhere').waitFor();
});

test('the elements are light, and what few pages need is loaded on use', async () => {
  const chunks = await bundleElements({ elements: 'packages/elements/src/elements.ts' });
  const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length;
  const size = (names: RegExp) =>
    chunks.filter(({ fileName }) => names.test(fileName)).reduce((sum, { code }) => sum + sizeOf(code), 0);
  expect(size(/^elements\.js$/)).toBeLessThan(45_000);
  // The client, which is loaded if the page brings none, and the texts of other languages come on top.
  expect(size(/^(elements|array)/)).toBeLessThan(46_000);
  expect(chunks.filter(({ fileName }) => /^(de|fr|es|ja|ar)-/.test(fileName))).toHaveLength(5);
});
