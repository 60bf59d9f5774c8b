import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EventSource } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { events } from '../src/api/events.ts';
import { parseData } from '../src/http/request/parse.ts';
import { liveEventNames } from '../src/realtime/feed/event-names.ts';
import { feedMeters } from '../src/realtime/feed/feed-meters.ts';
import { type EventStage, newEventStage, organizationId, place } from './event-stage.ts';
import { newUserToken } from './user-token.ts';

const docs = readFileSync(join(import.meta.dirname, '../docs/live-events.md'), 'utf8');

/** The first cells of the rows of a table, as they stand in code. */
const listed = (heading: string): string[] => {
  const rows = docs
    .slice(docs.indexOf(`| ${heading} |`))
    .split('\n\n', 1)[0]!
    .split('\n')
    .slice(2);
  return rows.map((row) => /^\| `([^`]+)`/.exec(row)![1]!);
};

test('the tables of docs/live-events.md are whole', () => {
  expect(listed('Event').sort()).toEqual([...liveEventNames, 'reset', 'end'].sort());
  expect(listed('In the query').sort()).toEqual(Object.keys(events.query.shape).sort());
  expect(listed('`reason`').sort()).toEqual(['document', 'organization', 'restart', 'slow', 'token']);
  for (const meter of feedMeters) expect(docs).toContain((meter as unknown as { name: string }).name);
});

test('addresses in docs/live-events.md are such as the stream takes', () => {
  const addresses = [...docs.matchAll(/"\$REDPEN_URL(\/v2\/events\?[^"]+)"/g)];
  expect(addresses.length).toBeGreaterThan(1);
  for (const [, address] of addresses) {
    parseData(events.query, Object.fromEntries(new URL(address!, 'http://redpen').searchParams));
  }
});

type Heard = [name: string, data: Record<string, unknown>];

/** The functions that the page shows, as a browser would load them. */
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

const here = (stage: EventStage) => new URL(stage.url({})).origin;
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

test('what the page shows for EventSource is told what happens, and comes back after a break', async () => {
  const stage = await withAnnotation();
  const { token } = await newUserToken(stage.workspace, {});
  const [withEventSource] = await samples();
  const before = globalThis.EventSource;
  const opened: EventSource[] = [];
  class Noted extends EventSource {
    constructor(url: string) {
      super(url);
      opened.push(this);
    }
  }
  globalThis.EventSource = Noted as unknown as typeof before;
  onTestFinished(() => {
    globalThis.EventSource = before;
  });
  const heard: Heard[] = [];
  const close = withEventSource!.listen(here(stage), {
    organizationId,
    token,
    onEvent: (...one: Heard) => heard.push(one),
  }) as () => void;
  onTestFinished(close);
  await expect.poll(() => opened.at(-1)?.readyState).toBe(EventSource.OPEN);
  await annotate(stage, 'a');
  await stage.relay();
  await expect.poll(() => heard.length).toBe(1);
  stage.app.server.closeAllConnections();
  await annotate(stage, 'a');
  await stage.relay();
  await expect.poll(() => heard.length).toBe(2);
  expect(heard).toMatchObject([
    ['comment.add', { ...place, annotationId: 'a' }],
    ['comment.add', { ...place, annotationId: 'a' }],
  ]);
});

test('what the page shows for fetch is told what happens, comes back after a break, and gives up where it must', async () => {
  const stage = await withAnnotation();
  const { token } = await newUserToken(stage.workspace, {});
  const [, withFetch] = await samples();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const heard: Heard[] = [];
  const listen = (options: object) =>
    withFetch!.listen(here(stage), {
      organizationId,
      getToken: async () => token,
      onEvent: (...one: Heard) => heard.push(one),
      signal: stopping.signal,
      ...options,
    }) as Promise<unknown>;
  expect(await listen({ organizationId: 'nowhere' })).toBe(403);
  const done = listen({});
  await expect
    .poll(async () => {
      await annotate(stage, 'a');
      await stage.relay();
      return heard.length;
    })
    .toBeGreaterThan(0);
  const before = heard.length;
  stage.app.server.closeAllConnections();
  await annotate(stage, 'a');
  await stage.relay();
  await expect.poll(() => heard.length).toBeGreaterThan(before);
  expect(new Set(heard.map(([name]) => name))).toEqual(new Set(['comment.add']));
  stopping.abort();
  await done;
});
