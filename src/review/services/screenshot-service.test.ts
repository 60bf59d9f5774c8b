import { expect, test } from 'vitest';
import { bareContext, bareTask } from '../../../test/reviews/review-inputs.ts';
import type { Browser, LoadedPage, View } from '../../outside/browser/browser.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { screenshotResponse } from '../respond/screenshot-response.ts';
import { screenshot } from './screenshot-service.ts';

const bytes = new Uint8Array([1, 2, 3]);
const picture = { bytes, pieces: [bytes], width: 10, height: 20, truncated: false, deviceType: 'desktop' };
const kept = { artifactId: 'file_1', mimeType: 'image/png', width: 10, height: 20, truncated: false };

function run(task: Partial<PageTask>) {
  const files: { name: string; mimeType: string; bytes: Uint8Array }[] = [];
  const views: View[] = [];
  const page = {
    evaluate: async () => ({ width: 10, height: 20 }),
    screenshot: async () => bytes,
  } as unknown as LoadedPage['page'];
  const browser: Browser = {
    async withPage(url, view, _options, use) {
      views.push(view);
      return use({ page, url, status: 200, headers: {} });
    },
    close: async () => {},
  };
  const context: PageContext = {
    ...bareContext,
    browser,
    storeArtifact: async (file) => `file_${files.push(file)}`,
    signal: new AbortController().signal,
  };
  const base: PageTask = {
    ...bareTask,
    url: 'https://example.com/',
  };
  return { result: screenshot.run({ ...base, ...task }, context), files, views };
}

test('the picture of the gather phase is saved, without findings', async () => {
  const { result, files, views } = run({
    gathered: [{ name: 'web-page-screenshot', data: picture, parts: [] }],
  });
  expect(await result).toMatchObject({ findings: [], data: { ...kept, deviceType: 'desktop' } });
  expect(files).toEqual([{ name: 'screenshot.png', mimeType: 'image/png', bytes }]);
  expect(views).toEqual([]);
});

test('without a gathered picture, one is taken on the device of the options or the run', async () => {
  const first = run({ deviceType: 'mobile' });
  expect(await first.result).toMatchObject({ data: { ...kept, deviceType: 'mobile' } });
  expect(first.views).toEqual([{ deviceType: 'mobile', waitUntil: 'load' }]);
  const second = run({
    execution: { strategyOptions: { screenshot: { deviceType: 'mobile', waitUntil: 'networkidle2' } } },
  });
  await second.result;
  expect(second.views).toEqual([{ deviceType: 'mobile', waitUntil: 'networkidle' }]);
});

test('a picture that could not be gathered fails the page with its reason', async () => {
  const { result } = run({
    gathered: [{ name: 'web-page-screenshot', error: 'The page crashed.', parts: [] }],
  });
  await expect(result).rejects.toThrow('The page crashed.');
});

test('the response lists the pictures by page and leaves out pages without one', async () => {
  const results = [
    { url: 'https://example.com/a', result: { findings: [], data: kept } },
    { url: 'https://example.com/b', result: { findings: [] } },
  ];
  const findings = { total: 0, gravest: [], byErrorType: {} };
  expect(await screenshotResponse.respond(results, findings)).toEqual({
    screenshots: [{ url: 'https://example.com/a', ...kept }],
  });
});
