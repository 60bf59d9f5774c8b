import { expect, test } from 'vitest';
import { dispatch, siteOf, work } from '../../../test/reviews/runs.ts';
import { newWorkspace } from '../../../test/service/harness.ts';
import type { Run } from '../core/run-state.ts';
import { planGathering } from './plan-gathering.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const all = ['web-page-accessibility', 'web-page-html', 'web-page-screenshot', 'rest-api'];
const without = { configured: {} };
const withModel = { configured: { claude: 'model' } };

const runOf = (execution: object, more: object = {}, request: object = {}) =>
  ({ request, behavior: { contextGathering: { strategies: all }, execution, ...more } }) as unknown as Run;
const plan = (run: Run, models: object) => planGathering(run, models as Parameters<typeof planGathering>[1]);

test('a service without a model gathers what it reads, and the calls of its REST API', () => {
  const read = {
    strategies: ['web-page-accessibility', 'rest-api'],
    unread: ['web-page-html', 'web-page-screenshot'],
    linksAlone: false,
  };
  const service = { serviceId: 'accessibility-checker', executionStrategy: 'service' };
  expect(plan(runOf(service), withModel)).toEqual({ ...read, keepOpen: 'if-complete' });
  const optional = { ...service, executionStrategy: 'service+ai', modelOptional: true };
  expect(plan(runOf(optional), without)).toEqual({ ...read, keepOpen: 'if-complete' });
});

test('whatever a model reads is gathered, and the page is closed before it thinks', () => {
  const optional = {
    serviceId: 'accessibility-checker',
    executionStrategy: 'service+ai',
    modelOptional: true,
  };
  for (const execution of [optional, { executionStrategy: 'ai' }])
    expect(plan(runOf(execution), withModel)).toEqual({ strategies: all, unread: [], linksAlone: false });
});

test('a comparison of pages reads everything, and a run that follows links reads them', () => {
  const service = { serviceId: 'accessibility-checker', executionStrategy: 'service' };
  const crossPage = { scope: { crossPage: { enabled: true, targetProperty: 'x', pageDiscovery: 'manual' } } };
  expect(plan(runOf(service, crossPage), without)).toMatchObject({ strategies: all, unread: [] });
  const linked = runOf(
    service,
    { contextGathering: { strategies: ['web-page-links'] } },
    { crossPageExecute: true },
  );
  expect(plan(linked, without).strategies).toEqual(['web-page-links']);
});

test('links alone are read where a service reads nothing else', () => {
  const gather = (strategies: string[]) => ({ contextGathering: { strategies } });
  const service = (serviceId: string) => ({ executionStrategy: 'service', serviceId });
  const alone = (serviceId: string, strategies: string[], request: object = {}) =>
    plan(runOf(service(serviceId), gather(strategies), request), without).linksAlone;
  expect(alone('broken-links', ['web-page-links'])).toBe(true);
  expect(alone('broken-links', ['web-page-links', 'web-page-screenshot'])).toBe(true);
  expect(alone('broken-links', ['none'])).toBe(false);
  expect(alone('broken-links', ['web-page-links', 'rest-api'])).toBe(false);
  expect(alone('accessibility-checker', ['web-page-links'], { crossPageExecute: true })).toBe(false);
  expect(plan(runOf({ executionStrategy: 'ai' }, gather(['web-page-links'])), withModel).linksAlone).toBe(
    false,
  );
});

test('the page stays open only if it is looked at, and its service ends soon', () => {
  const service = { serviceId: 'accessibility-checker', executionStrategy: 'service' };
  const noPins = { postProcess: { pinResolution: { enabled: false } } };
  const keepOpen = (run: Run) => plan(run, without).keepOpen;
  expect(keepOpen(runOf(service, noPins, { screenshots: 'none' }))).toBeUndefined();
  expect(keepOpen(runOf(service, {}, { screenshots: 'none' }))).toBe('if-complete');
  expect(keepOpen(runOf(service, noPins, { screenshots: 'all' }))).toBe('always');
  expect(keepOpen(runOf({ ...service, serviceId: 'broken-links' }))).toBeUndefined();
  // This one reads the text too, and would load the page itself.
  expect(
    keepOpen(runOf({ ...service, serviceId: 'lorem-ipsum' }, {}, { screenshots: 'all' })),
  ).toBeUndefined();
});

const page = (body: string) => `<html lang="en"><title>T</title><main><h1>H</h1>${body}</main></html>`;

test('a run loads each page once, and keeps a screenshot of pages with findings', async () => {
  const site = await siteOf({
    '/': page('<img src="/x.png"><a href="/clean">clean</a>'),
    '/clean': page('fine'),
  });
  const w = await newWorkspace();
  const agent = {
    contextGathering: { strategies: all.slice(0, 3) },
    execution: { executionStrategy: 'service', serviceId: 'accessibility-checker' },
  };
  const faulty = (screenshots?: string) =>
    dispatch(w, agent, { url: site.url, ...(screenshots && { screenshots }) }).then((id) => work(w, id));
  const { results, artifacts, log }: Any = await faulty();
  expect(results[0].findings[0]).toMatchObject({
    issueType: 'image-alt',
    position: { width: expect.any(Number) },
  });
  const { screenshot } = results[0];
  expect(screenshot).toMatchObject({
    deviceType: 'desktop',
    scale: 1,
    viewport: { width: 1366, height: 768 },
  });
  expect(screenshot.tiles.map(({ artifactId }: Any) => artifactId)).toEqual(
    artifacts.map(({ artifactId }: Any) => artifactId),
  );
  expect(artifacts[0]).toMatchObject({ name: 'screenshot-1.webp', mimeType: 'image/webp' });
  // Each load in the browser asks for the picture.
  expect(site.requests.filter((request) => request === 'GET /x.png')).toHaveLength(1);
  const messages = log.map(({ message }: Any) => message).join('\n');
  expect(messages).toContain('The service does not read web-page-html and web-page-screenshot');

  const none: Any = await faulty('none');
  expect(none.artifacts).toEqual([]);
  expect(none.results[0]).not.toHaveProperty('screenshot');
  expect(none.results[0].findings[0].position).toEqual(results[0].findings[0].position);

  const clean: Any = await work(w, await dispatch(w, agent, { url: `${site.url}/clean` }));
  expect(clean.artifacts).toEqual([]);
  const kept: Any = await work(w, await dispatch(w, agent, { url: `${site.url}/clean`, screenshots: 'all' }));
  expect(kept.artifacts).toHaveLength(1);
});

test('an unknown choice of screenshots is refused by name', async () => {
  const w = await newWorkspace();
  await expect(
    dispatch(
      w,
      {
        contextGathering: { strategies: ['none'] },
        execution: { executionStrategy: 'service', serviceId: 'broken-links' },
      },
      { url: 'http://127.0.0.1:9/', screenshots: 'some' },
    ),
  ).rejects.toThrow(/screenshots/);
});
