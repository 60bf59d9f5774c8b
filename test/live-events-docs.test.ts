import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EventSource } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { events } from '../src/api/events.ts';
import { parseData } from '../src/http/request/parse.ts';
import { liveEventNames } from '../src/realtime/feed/event-names.ts';
import { feedMetrics } from '../src/realtime/feed/feed-metrics.ts';
import { type EventStage, newEventStage, organizationId, place } from './live/event-stage.ts';
import { newUserToken } from './people/user-token.ts';

const docs = readFileSync(join(import.meta.dirname, '../docs/live-events.md'), 'utf8');

/** The code in the first cell of each row of a table. */
const listed = (heading: string): string[] => {
  const rows = docs
    .slice(docs.indexOf(`| ${heading} |`))
    .split('\n\n', 1)[0]!
    .split('\n')
    .slice(2);
  return rows.map((row) => /^\| `([^`]+)`/.exec(row)![1]!);
};

test('the tables of docs/live-events.md are complete', () => {
  expect(listed('Event').sort()).toEqual([...liveEventNames, 'reset', 'end'].sort());
  expect(listed('In the query').sort()).toEqual(Object.keys(events.query.shape).sort());
  expect(listed('`reason`').sort()).toEqual(['document', 'organization', 'restart', 'slow', 'token']);
  for (const metric of feedMetrics) expect(docs).toContain((metric as unknown as { name: string }).name);
});

test('the stream accepts the URLs in docs/live-events.md', () => {
  const addresses = [...docs.matchAll(/"\$REDPEN_URL(\/v2\/events\?[^"]+)"/g)];
  expect(addresses.length).toBeGreaterThan(1);
  for (const [, address] of addresses) {
    parseData(events.query, Object.fromEntries(new URL(address!, 'http://redpen').searchParams));
  }
});

type ReceivedEvent = [name: string, data: Record<string, unknown>];

/** The code samples of the page, loaded as modules. */
async function samples(): Promise<{ listen(base: string, options: object): unknown }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-live-events-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blocks = [...docs.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);
  return await Promise.all(
    blocks.map(async (code, index) => {
      const path = join(folder, `${index}.mjs`);
      writeFileSync(path, code);
      return await import(/* @vite-ignore */ pathToFileURL(path).href);
    }),
  );
}

const originOf = (stage: EventStage) => new URL(stage.url({})).origin;
const annotate = (stage: EventStage, annotationId: string) =>
  stage.workspace.must('/v2/commentannotations/comments/add', {
    ...place,
    annotationId,
    commentData: [{ from: { userId: 'ada' }, commentText: 'Hello' }],
  });
const withAnnotation = async () => {
  const stage = await newEventStage();
  await stage.workspace.must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      { annotationId: 'a', commentData: [{ from: { userId: 'ada' }, commentText: 'Hi' }] },
    ],
  });
  await stage.relay();
  return stage;
};

test('the sample with EventSource receives events, and reconnects after a break', async () => {
  const stage = await withAnnotation();
  const { token } = await newUserToken(stage.workspace, {});
  const [withEventSource] = await samples();
  const before = globalThis.EventSource;
  const opened: EventSource[] = [];
  class RecordedEventSource extends EventSource {
    constructor(url: string) {
      super(url);
      opened.push(this);
    }
  }
  globalThis.EventSource = RecordedEventSource as unknown as typeof before;
  onTestFinished(() => {
    globalThis.EventSource = before;
  });
  const received: ReceivedEvent[] = [];
  const close = withEventSource!.listen(originOf(stage), {
    organizationId,
    token,
    onEvent: (...event: ReceivedEvent) => received.push(event),
  }) as () => void;
  onTestFinished(close);
  await expect.poll(() => opened.at(-1)?.readyState).toBe(EventSource.OPEN);
  await annotate(stage, 'a');
  await stage.relay();
  await expect.poll(() => received.length).toBe(1);
  stage.app.server.closeAllConnections();
  await annotate(stage, 'a');
  await stage.relay();
  await expect.poll(() => received.length).toBe(2);
  expect(received).toMatchObject([
    ['comment.add', { ...place, annotationId: 'a' }],
    ['comment.add', { ...place, annotationId: 'a' }],
  ]);
});

test('the sample with fetch receives events, reconnects after a break, and gives up after a refusal', async () => {
  const stage = await withAnnotation();
  const { token } = await newUserToken(stage.workspace, {});
  const [, withFetch] = await samples();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const received: ReceivedEvent[] = [];
  const listen = (options: object) =>
    withFetch!.listen(originOf(stage), {
      organizationId,
      getToken: async () => token,
      onEvent: (...event: ReceivedEvent) => received.push(event),
      signal: stopping.signal,
      ...options,
    }) as Promise<unknown>;
  expect(await listen({ organizationId: 'nowhere' })).toBe(403);
  const done = listen({});
  await expect
    .poll(async () => {
      await annotate(stage, 'a');
      await stage.relay();
      return received.length;
    })
    .toBeGreaterThan(0);
  const before = received.length;
  stage.app.server.closeAllConnections();
  await annotate(stage, 'a');
  await stage.relay();
  await expect.poll(() => received.length).toBeGreaterThan(before);
  expect(new Set(received.map(([name]) => name))).toEqual(new Set(['comment.add']));
  stopping.abort();
  await done;
});
