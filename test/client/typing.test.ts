import { expectTypeOf, test } from 'vitest';
import type {
  AnnotationAnchor,
  ErrorStatus,
  LiveEvent,
  Operations,
  Redpen,
  RedpenError,
  ReviewRequest,
} from '../../packages/client/src/index.ts';
import type { RawClient } from '../../packages/client/src/raw.ts';
import type { WebhookMessage } from '../../packages/client/src/webhooks.ts';

// The compiler checks these functions; none of them is called.
const compiled = (_: (redpen: Redpen, raw: RawClient) => unknown) => {};

type Annotation = Operations['/v2/commentannotations/get']['item'];
const place = { organizationId: 'acme' };

test('the request decides the type of the result', () => {
  compiled(async ({ annotations, agents, executions }, raw) => {
    expectTypeOf((await annotations.list(place))[0]).toEqualTypeOf<Annotation | null | undefined>();
    const grouped = await annotations.list({ ...place, groupByDocumentId: true });
    expectTypeOf(grouped).toEqualTypeOf<Record<string, Annotation[]>>();
    const anchors = await annotations.list({ ...place, fields: 'anchors' });
    expectTypeOf(anchors[0]!.place).toEqualTypeOf<AnnotationAnchor['place']>();
    expectTypeOf((await agents.get({ agentId: 'spell-check' })).agent.name).toEqualTypeOf<string>();
    expectTypeOf((await agents.get()).agents).toBeArray();
    expectTypeOf((await executions.count({})).total).toEqualTypeOf<number>();
    expectTypeOf((await executions.count({ agentIds: ['a'] })).counts).toEqualTypeOf<
      Record<string, number>
    >();
    expectTypeOf((await raw.call('/v2/agents/execution/count', { agentIds: 'a' })).counts).toBeObject();
    expectTypeOf((await raw.call('/v2/agents/execution/count', {})).total).toBeNumber();
  });
});

test('the states and methods of live stores are typed, and their conditions are those of the list', () => {
  compiled(async ({ live }) => {
    const home = { ...place, documentId: 'home' };
    const store = live.threads({ ...home, statusIds: ['OPEN'] });
    const { threads, status, error } = store.get();
    expectTypeOf(threads[0]!).toExtend<Annotation>();
    expectTypeOf(threads[0]!.comments[0]!.commentId).toBeNumber();
    expectTypeOf(threads[0]!.pending).toEqualTypeOf<true | undefined>();
    expectTypeOf(status).toEqualTypeOf<'loading' | 'live' | 'offline' | 'ended' | 'failed'>();
    expectTypeOf(error).toEqualTypeOf<RedpenError | undefined>();
    expectTypeOf(await store.reply('thread', { commentText: 'Yes.' })).toBeNumber();
    expectTypeOf(live.run('run').get().findings[0]!.title).toBeString();
    expectTypeOf(live.presence(home).get().users[0]!.userId).toBeString();
    // @ts-expect-error a store is of one document
    live.threads(place);
    // @ts-expect-error no condition
    live.threads({ ...home, statuses: ['OPEN'] });
    // @ts-expect-error the state is immutable
    store.get().threads.push(threads[0]!);
    // @ts-expect-error a comment has an id that is a number
    await store.editComment('thread', 'first', { commentText: 'No.' });
  });
});

test('misspelled fields and wrong values do not compile', () => {
  compiled(({ users, annotations }, raw) => [
    // @ts-expect-error it is organizationId
    users.count({ organisationId: 'acme' }),
    // @ts-expect-error a required field
    annotations.list(),
    // @ts-expect-error a text
    annotations.list({ organizationId: 7 }),
    // @ts-expect-error no operation
    raw.call('/v2/users/counts', place),
    // @ts-expect-error a list that is grouped has no pages of items
    annotations.iterate({ ...place, groupByDocumentId: true }),
  ]);
});

test('lists have typed items, and operations that return no list have no pages', () => {
  compiled(async ({ annotations, executions, users }) => {
    for await (const one of annotations.iterate(place)) expectTypeOf(one).toEqualTypeOf<Annotation>();
    const page = await executions.findings.page({ executionId: 'e' });
    expectTypeOf(page.items[0]!.title).toEqualTypeOf<string>();
    expectTypeOf(await users.all(place, { max: 5 })).toBeArray();
    const pins = { ...place, fields: 'anchors' } as const;
    for await (const one of annotations.iterate(pins)) expectTypeOf(one).toEqualTypeOf<AnnotationAnchor>();
    expectTypeOf(await annotations.list.all(pins, { max: 5 })).toEqualTypeOf<AnnotationAnchor[]>();
    // @ts-expect-error no list
    users.count.iterate(place);
  });
});

test('with safe, the result has to be checked first', () => {
  compiled(async ({ users }) => {
    const counted = await users.count(place, { safe: true });
    // @ts-expect-error it may have failed
    counted.data;
    if (counted.ok) expectTypeOf(counted.data.count).toBeNumber();
    else expectTypeOf(counted.error).toEqualTypeOf<RedpenError>();
    expectTypeOf(await users.count(place)).toEqualTypeOf<{ count: number }>();
  });
});

test('errors, events and messages are told apart by a literal', () => {
  expectTypeOf<RedpenError['status']>().toEqualTypeOf<ErrorStatus>();
  expectTypeOf<Extract<LiveEvent, { event: 'presence.delete' }>['data']['userIds']>().toEqualTypeOf<
    string[]
  >();
  expectTypeOf<
    Extract<WebhookMessage, { event: 'document.migrate' }>['data']['migrationId']
  >().toEqualTypeOf<string>();
  expectTypeOf<ReviewRequest['deviceType']>().toEqualTypeOf<'mobile' | 'desktop' | undefined>();
});
