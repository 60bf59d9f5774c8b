import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../src/api/index.ts';
import type { Database } from '../src/db/connect.ts';
import type { Tx } from '../src/db/tables.ts';
import type { Endpoint } from '../src/http/endpoint.ts';
import { parseData } from '../src/http/request/parse.ts';
import type { TokenUser } from '../src/lib/scope.ts';
import { DOCUMENT, ENDPOINT, FOLDER, fillTenant, ORGANIZATION, openBigDatabase, USER } from './big-tenant.ts';
import { type Captured, capturing } from './captured-queries.ts';
import { testApp } from './harness.ts';
import { type Plan, planOf } from './query-plan.ts';

// As many as make a scan of a table the wrong plan.
const ROWS = 60_000;
/** A page may read this many rows for each that it shows, and no more however long the list is. */
const ROWS_FOR_EACH = 12;
const PAGE = 50;

const of = { organizationId: ORGANIZATION };
const onDocument = { ...of, documentId: DOCUMENT };

interface Case {
  path: string;
  data: object;
  /** Pages are not of one size, or a filter leaves out most of what is in order: only the indexes are looked at. */
  sparse?: true;
  /** Asked by the user with a token, for whose eyes rows are judged one by one. */
  asUser?: true;
}
const list = (path: string, data: object = {}): Case => ({ path, data });
const sparse = (path: string, data: object): Case => ({ path, data, sparse: true });

const byUser = (one: Case): Case => ({ ...one, asUser: true });

const annotations = '/v2/commentannotations/get';
const deliveries = '/v2/workspace/advancedwebhook/deliveries/get';
const cases: Case[] = [
  list('/v2/organizations/get'),
  list('/v2/organizations/get', { organizationIds: [ORGANIZATION, 'organization-77'] }),
  list('/v2/organizations/folders/get', of),
  list('/v2/organizations/documents/get', of),
  list('/v2/organizations/documents/get', { ...of, folderId: FOLDER }),
  list('/v2/organizations/documents/get', { ...of, documentIds: [DOCUMENT, 'document-77'] }),
  sparse('/v2/organizations/usergroups/get', of),
  list('/v2/users/get', of),
  list('/v2/users/get', onDocument),
  list('/v2/users/get', { ...of, folderId: FOLDER }),
  list('/v2/users/get', { ...of, userIds: [USER, 'user-77'] }),
  list('/v2/users/get', { ...of, organizationUserGroupIds: ['group-1'] }),
  list('/v2/users/get', { ...of, allDocuments: true }),
  list('/v2/users/get', { ...of, allDocuments: true, groupByDocumentId: true }),
  list('/v2/users/documents/get', of),
  list('/v2/organizations/usergroups/users/get', { ...of, organizationUserGroupId: 'group-1' }),
  list(annotations, onDocument),
  list(annotations, { ...onDocument, order: 'asc' }),
  list(annotations, of),
  list(annotations, { ...of, documentIds: [DOCUMENT, 'document-2'] }),
  list(annotations, { ...of, folderId: FOLDER }),
  list(annotations, { ...onDocument, annotationIds: ['annotation-1', 'annotation-77'] }),
  sparse(annotations, { ...onDocument, locationIds: ['location-7'] }),
  sparse(annotations, { ...onDocument, userIds: [USER] }),
  sparse(annotations, { ...onDocument, mentionedUserIds: [USER] }),
  sparse(annotations, { ...onDocument, resolvedBy: USER }),
  sparse(annotations, { ...onDocument, statusIds: ['RESOLVED'] }),
  sparse(annotations, { ...of, agentId: 'agent-1' }),
  sparse(annotations, { ...of, executionId: 'execution-10' }),
  sparse(annotations, { ...of, agentSuggestions: true }),
  sparse(annotations, { ...onDocument, updatedAfter: 10, updatedBefore: 1_000 }),
  sparse(annotations, { ...onDocument, createdAfter: 10, createdBefore: 1_000 }),
  sparse('/v2/commentannotations/count/get', { ...of, documentIds: ['document-2'], userId: USER }),
  sparse('/v2/commentannotations/comments/get', { ...onDocument, annotationId: 'annotation-1' }),
  byUser(list(annotations, onDocument)),
  byUser(list(annotations, of)),
  byUser(sparse('/v2/commentannotations/count/get', { ...of, documentIds: ['document-2'], userId: USER })),
  byUser(list('/v2/notifications/get', { ...of, userId: USER })),
  list('/v2/notifications/get', { ...of, userId: USER }),
  list('/v2/notifications/get', onDocument),
  list('/v2/notifications/get', { ...onDocument, order: 'asc' }),
  list('/v2/notifications/get', { ...of, userId: USER, notificationIds: ['notification-77'] }),
  list('/v2/activities/get', of),
  list('/v2/activities/get', onDocument),
  sparse('/v2/activities/get', { ...of, userId: USER }),
  list('/v2/presence/get', onDocument),
  list('/v2/livestate/get', onDocument),
  sparse('/v2/crdt/get', onDocument),
  sparse('/v2/crdt/get', { ...onDocument, editorId: 'editor-77' }),
  byUser(sparse('/v2/crdt/get', onDocument)),
  list('/v2/crdt/snapshots/list', { ...onDocument, editorId: 'editor-1' }),
  sparse('/v2/users/data/get', { ...of, userId: USER }),
  sparse('/v2/agents/get', {}),
  list('/v2/agents/execution/list', { agentId: 'agent-1' }),
  list('/v2/agents/execution/list', { ...onDocument }),
  list('/v2/workspace/advancedwebhook/endpoints/get'),
  list(deliveries, { endpointId: ENDPOINT }),
  list(deliveries, { endpointId: ENDPOINT, status: 'failed' }),
  list(deliveries, { endpointId: ENDPOINT, status: 'waiting' }),
  list(deliveries, { webhookId: 'evt_77' }),
  sparse(deliveries, { endpointId: ENDPOINT, eventType: 'comment.add' }),
  sparse(deliveries, { endpointId: ENDPOINT, since: 10, until: 1_000 }),
];

/** What one API key has few of, whatever it does. */
const SMALL = ['builtin_agents'];
/** Lists that are no concern of a tenant's size: a few rows by their nature, or the whole of something small. */
const EXEMPT = ['/v2/workspace/apikeys/get', '/v2/workspace/usage/get', '/v2/organizations/users/get'];

const caller = { workspaceId: 'ws_big', apiKeyId: 'key_big' };
const user: TokenUser = {
  userId: USER,
  name: 'One',
  email: 'one@example.com',
  isAdmin: false,
  resources: [{ type: 'organization', id: ORGANIZATION, organizationId: ORGANIZATION, accessRole: 'editor' }],
  expiresAt: Date.now() + 3_600_000,
};
let database: Database | undefined;

beforeAll(async () => {
  database = await openBigDatabase();
  await fillTenant(database.db, caller, ROWS);
}, 180_000);

afterAll(() => database?.close());

const endpointOf = (path: string): Endpoint => {
  const found = endpoints.find((endpoint) => [endpoint.path].flat().includes(path));
  if (!found) throw new Error(`There is no operation ${path}.`);
  return found;
};

/** Whether its cursors are among what it answers, to go on and to go back. */
const isTwoWay = ({ data }: Endpoint): boolean => data instanceof z.ZodObject && 'iterator' in data.shape;

/** Asks for a page, and answers what it asked the database and where the next page begins. */
async function ask({ path, data, asUser }: Case, pageToken: string | undefined) {
  const { deps } = await testApp();
  const { db, queries } = capturing(database!.db);
  const endpoint = endpointOf(path);
  const paged = endpoint.page
    ? { pageSize: PAGE, pageToken }
    : isTwoWay(endpoint)
      ? { limit: PAGE, iterator: pageToken }
      : {};
  const answer = (await endpoint.handle(parseData(endpoint.data, { ...data, ...paged }), {
    ...deps,
    db,
    caller: asUser ? { ...caller, user } : caller,
    requestId: 'x',
  })) as { next?: string; iterator?: string | null };
  return { queries, next: endpoint.page ? answer.next : (answer.iterator ?? undefined) };
}

/** Statements are run again, inside one transaction. */
async function plansOf(queries: Captured[]): Promise<Plan[]> {
  return await database!.db.transaction().execute(async (tx: Tx) => {
    const plans: Plan[] = [];
    for (const query of queries) plans.push(await planOf(tx, query));
    return plans;
  });
}

const total = (plans: Plan[]) => plans.reduce((sum, plan) => sum + plan.rowsRead, 0);

test.each(
  cases.map(
    (one) => [`${one.path} ${JSON.stringify(one.data)}${one.asUser ? ' as a user' : ''}`, one] as const,
  ),
)('%s reads by an index, the first page and a later one', async (_name, one) => {
  const first = await ask(one, undefined);
  let next = first.next;
  for (let hops = 0; hops < 3 && next !== undefined; hops++) next = (await ask(one, next)).next;
  const pages = [first.queries, ...(next === undefined ? [] : [(await ask(one, next)).queries])];
  for (const queries of pages) {
    expect(queries.length).toBeLessThanOrEqual(one.asUser ? 4 : 3);
    const plans = await plansOf(queries);
    const texts = plans.map((plan) => plan.text).join('\n\n');
    expect(
      plans.flatMap((plan) => plan.sequential).filter((table) => !SMALL.includes(table)),
      texts,
    ).toEqual([]);
    if (!one.sparse) expect(total(plans), texts).toBeLessThanOrEqual(PAGE * ROWS_FOR_EACH + 2_100);
  }
});

test('every list of the service is looked at', () => {
  const lists = endpoints
    .filter((endpoint) => endpoint.kind === 'read' && (endpoint.page !== undefined || isTwoWay(endpoint)))
    .map((endpoint) => [endpoint.path].flat()[0]!);
  const looked = new Set([...cases.map(({ path }) => path), ...EXEMPT]);
  expect(lists.filter((path) => !looked.has(path) && !looked.has(path.replace('/v1/', '/v2/')))).toEqual([]);
});
