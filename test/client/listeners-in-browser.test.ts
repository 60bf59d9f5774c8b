import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { createClient } from '../../packages/client/src/index.ts';
import { expectLog } from '../run/log-watch.ts';
import { newTestContext } from '../service/test-browser.ts';
import { packageFolder } from './bundled.ts';
import { servePage } from './served-page.ts';
import { newStoreStage } from './store-stage.ts';

declare global {
  interface Window {
    createClient: typeof createClient;
  }
}

test('the error of a listener is reported, and what it listens to goes on', async () => {
  const stage = await newStoreStage();
  const place = await stage.newDocument();
  const token = await stage.tenant.token('ada');
  const page = await (await newTestContext()).newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const client = JSON.stringify(join(packageFolder, 'src/index.ts'));
  await page.goto(
    await servePage(`import { createClient } from ${client}; Object.assign(window, { createClient });`),
  );
  await page.waitForFunction(() => 'createClient' in window);
  for (const name of ['onProgress', 'onOpen', 'onWarning']) expectLog(new RegExp(name));
  const outcome = await page.evaluate(
    async ({ baseUrl, token, place }) => {
      const fail = (text: string) => () => {
        throw new Error(text);
      };
      const redpen = window.createClient({
        baseUrl,
        getUserToken: () => token,
        onWarning: fail('onWarning'),
      });
      const file = new File(['words'], 'a.txt', { type: 'text/plain' });
      const { size } = await redpen.attachments.upload(file, { ...place, onProgress: fail('onProgress') });
      await redpen.annotations.list({ ...place, ...{ unheardOf: 1 } });
      const thread = { commentData: [{ commentText: 'The stream is open.' }] };
      const onOpen = () => {
        void redpen.annotations.add({ ...place, commentAnnotations: [thread] });
        fail('onOpen')();
      };
      const events = redpen.events({ ...place, families: ['comment_annotation'] }, { onOpen });
      const { value } = await events.next();
      await events.return();
      return { size, event: value?.event };
    },
    { baseUrl: stage.url, token, place },
  );
  expect(outcome).toEqual({ size: 5, event: 'comment_annotation.add' });
  expect(new Set(errors)).toEqual(new Set(['onProgress', 'onOpen', 'onWarning']));
  const times = (part: string) => requests.filter((one) => one.includes(part)).length;
  expect([times('PUT '), times('GET /v2/events'), times('/commentannotations/get')]).toEqual([1, 1, 1]);
});
