import { expect, test } from 'vitest';
import { routes } from '../src/api/index.ts';
import { printApi, printRunning } from '../src/roles/docs/print-docs.ts';
import { testApp } from './harness.ts';

// `npm run docs` writes them anew.
test('docs/api.md tells of the operations as they are', async () => {
  await expect(printApi(routes)).toMatchFileSnapshot('../docs/api.md');
});

test('docs/running.md tells of the settings and metrics as they are', async () => {
  const { app } = await testApp();
  await expect(printRunning(app.metrics.list())).toMatchFileSnapshot('../docs/running.md');
});
