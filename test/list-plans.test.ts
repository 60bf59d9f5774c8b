import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../src/api/index.ts';
import type { Database } from '../src/db/connections/connect.ts';
import type { Tx } from '../src/db/tables.ts';
import type { Endpoint } from '../src/http/endpoint.ts';
import { parseData } from '../src/http/request/parse.ts';
import type { Member, TokenUser } from '../src/lib/scope.ts';
import {
  DOCUMENT,
  ENDPOINT,
  FOLDER,
  fillTenant,
  ORGANIZATION,
  openBigDatabase,
  USER,
} from './database/big-tenant.ts';
import { ACCOUNT, fillWorkspace } from './database/big-workspace.ts';
import { type Captured, capturing } from './database/captured-queries.ts';
import { type Plan, planOf } from './database/query-plan.ts';
import { testApp } from './service/harness.ts';

// Enough rows to make a sequential scan the wrong plan.
const ROWS = 30_000;
/** The maximum number of rows that a page may read per row shown, however long the list is. */
const MAX_ROWS_PER_SHOWN = 12;
const PAGE = 50;

const inOrganization = { organizationId: ORGANIZATION };
const onDocument = { ...inOrganization, documentId: DOCUMENT };

interface Case {
  path: string;
  data: object;
  /** Pages differ in size, or a filter removes most rows of the order, so only the use of indexes is checked. */
  sparse?: true;
  /** Tables of which every row of the organization or documents is read; that may be the whole table here. */
  reads?: readonly string[];
  /** Requested with a user token, so that access is checked for each row. */
  asUser?: true;
  /** Most statements of a page; 3 by default, and 4 for a user. */
  queries?: number;
}
const list = (path: string, data: object = {}): Case => ({ path, data });
const sparse = (path: string, data: object): Case => ({ path, data, sparse: true });

/** A search for words reads the comments of its documents, since an index would slow down every new comment. */
const worded = (path: string, data: object): Case => ({ ...sparse(path, data), reads: ['comments'] });

const byUser = (item: Case): Case => ({ ...item, asUser: true });

const annotations = '/v2/commentannotations/get';
const findings = '/v2/agents/findings/list';
const deliveries = '/v2/workspace/advancedwebhook/deliveries/get';
const cases: Case[] = [
  list('/v2/organizations/get'),
  list('/v2/organizations/get', { organizationIds: [ORGANIZATION, 'organization-77'] }),
  list('/v2/organizations/folders/get', inOrganization),
  list('/v2/organizations/documents/get', inOrganization),
  list('/v2/organizations/documents/get', { ...inOrganization, folderId: FOLDER }),
  list('/v2/organizations/documents/get', { ...inOrganization, documentIds: [DOCUMENT, 'document-77'] }),
  sparse('/v2/organizations/usergroups/get', inOrganization),
  list('/v2/users/get', inOrganization),
  list('/v2/users/get', onDocument),
  list('/v2/users/get', { ...inOrganization, folderId: FOLDER }),
  list('/v2/users/get', { ...inOrganization, userIds: [USER, 'user-77'] }),
  list('/v2/users/get', { ...inOrganization, organizationUserGroupIds: ['group-1'] }),
  list('/v2/users/get', { ...inOrganization, allDocuments: true }),
  list('/v2/users/get', { ...inOrganization, allDocuments: true, groupByDocumentId: true }),
  sparse('/v2/users/get', { ...inOrganization, text: 'someone 77' }),
  list('/v2/users/documents/get', inOrganization),
  sparse('/v2/users/organizations/get', { userId: USER }),
  list('/v2/organizations/usergroups/users/get', { ...inOrganization, organizationUserGroupId: 'group-1' }),
  list(annotations, onDocument),
  list(annotations, { ...onDocument, order: 'asc' }),
  list(annotations, inOrganization),
  list(annotations, { ...inOrganization, documentIds: [DOCUMENT, 'document-2'] }),
  list(annotations, { ...inOrganization, folderId: FOLDER }),
  list(annotations, { ...onDocument, annotationIds: ['annotation-1', 'annotation-77'] }),
  sparse(annotations, { ...onDocument, locationIds: ['location-7'] }),
  sparse(annotations, { ...onDocument, userIds: [USER] }),
  sparse(annotations, { ...onDocument, mentionedUserIds: [USER] }),
  sparse(annotations, { ...onDocument, resolvedBy: USER }),
  sparse(annotations, { ...onDocument, statusIds: ['RESOLVED'] }),
  sparse(annotations, { ...inOrganization, agentId: 'agent-1' }),
  sparse(annotations, { ...inOrganization, executionId: 'execution-10' }),
  sparse(annotations, { ...inOrganization, agentSuggestions: true }),
  list(annotations, { ...onDocument, fields: 'anchors' }),
  list(annotations, { ...inOrganization, fields: 'anchors' }),
  byUser(list(annotations, { ...onDocument, fields: 'anchors' })),
  sparse(annotations, { ...onDocument, pageUrl: 'https://example.com/7' }),
  sparse(annotations, {
    ...inOrganization,
    pageUrls: ['https://example.com/7', 'https://example.com/8'],
  }),
  sparse(annotations, { ...inOrganization, suggestionStatus: 'pending' }),
  sparse(annotations, { ...onDocument, suggestionStatus: ['accepted', 'rejected'] }),
  sparse(annotations, { ...inOrganization, severity: 'critical' }),
  sparse(annotations, { ...inOrganization, issueType: 'issue-100' }),
  worded(annotations, { ...inOrganization, text: 'word77' }),
  worded(annotations, { ...onDocument, text: 'word77 x' }),
  worded(annotations, { ...inOrganization, documentIds: [DOCUMENT, 'document-2'], text: 'title word7' }),
  sparse(annotations, { ...onDocument, updatedAfter: 10, updatedBefore: 1_000 }),
  sparse(annotations, { ...onDocument, createdAfter: 10, createdBefore: 1_000 }),
  sparse('/v2/commentannotations/count/get', {
    ...inOrganization,
    documentIds: ['document-2'],
    userId: USER,
  }),
  worded('/v2/commentannotations/count/get', {
    ...inOrganization,
    documentIds: ['document-2'],
    userId: USER,
    text: 'word77',
    severity: 'low',
  }),
  worded(annotations, { ...inOrganization, folderId: FOLDER, text: 'word77' }),
  sparse('/v2/commentannotations/unread/get', {
    ...inOrganization,
    documentIds: ['document-2'],
    userId: USER,
  }),
  byUser(sparse('/v2/commentannotations/unread/get', { ...inOrganization, documentIds: ['document-2'] })),
  list('/v2/commentannotations/reactions/get', { ...onDocument, annotationId: 'annotation-1' }),
  list('/v2/attachments/list', onDocument),
  byUser(list('/v2/attachments/list', onDocument)),
  sparse('/v2/attachments/list', { ...onDocument, annotationId: 'annotation-77' }),
  sparse('/v2/attachments/list', { ...onDocument, attached: false }),
  sparse('/v2/commentannotations/comments/get', { ...onDocument, annotationId: 'annotation-1' }),
  byUser(list('/v2/organizations/documents/get', inOrganization)),
  byUser(list('/v2/organizations/documents/get', { ...inOrganization, documentIds: [DOCUMENT] })),
  byUser(list('/v2/presence/get', onDocument)),
  byUser(list('/v2/agents/execution/list', onDocument)),
  byUser(list(annotations, onDocument)),
  byUser(list(annotations, inOrganization)),
  byUser(
    sparse('/v2/commentannotations/count/get', {
      ...inOrganization,
      documentIds: ['document-2'],
      userId: USER,
    }),
  ),
  byUser(list('/v2/notifications/get', { ...inOrganization, userId: USER })),
  list('/v2/notifications/get', { ...inOrganization, userId: USER }),
  list('/v2/notifications/get', onDocument),
  list('/v2/notifications/get', { ...onDocument, order: 'asc' }),
  list('/v2/notifications/get', { ...inOrganization, userId: USER, notificationIds: ['notification-77'] }),
  list('/v2/activities/get', inOrganization),
  list('/v2/activities/get', onDocument),
  sparse('/v2/activities/get', { ...inOrganization, userId: USER }),
  list('/v2/presence/get', onDocument),
  list('/v2/livestate/get', onDocument),
  sparse('/v2/crdt/get', onDocument),
  sparse('/v2/crdt/get', { ...onDocument, editorId: 'editor-77' }),
  byUser(sparse('/v2/crdt/get', onDocument)),
  list('/v2/crdt/snapshots/list', { ...onDocument, editorId: 'editor-1' }),
  sparse('/v2/users/data/get', { ...inOrganization, userId: USER }),
  sparse('/v2/agents/get', {}),
  list('/v2/agents/execution/list', { agentId: 'agent-1' }),
  list('/v2/agents/execution/list', { ...onDocument }),
  list('/v2/agents/execution/list', { scope: 'apiKey' }),
  list('/v2/agents/execution/list', { status: ['passed', 'error'] }),
  list('/v2/agents/execution/list', { agentId: 'agent-1', startedAfter: 100 }),
  sparse('/v2/agents/execution/list', { trigger: 'workflow' }),
  sparse('/v2/agents/execution/list', { url: 'https://example.com/77' }),
  list(findings),
  list(findings, onDocument),
  list(findings, { agentId: 'agent-1' }),
  list(findings, { pageUrl: 'https://example.com/7#part' }),
  sparse(findings, { severity: 'critical', decision: 'rejected' }),
  sparse(findings, { ...onDocument, text: 'word: 77' }),
  sparse(findings, { executionId: 'execution-77' }),
  sparse(findings, { fingerprint: '77' }),
  list('/v2/workspace/audit/get'),
  list('/v2/workspace/audit/get', { actorId: 'member-1' }),
  list('/v2/workspace/audit/get', { targetId: 'agent-1' }),
  list('/v2/workspace/audit/get', { from: 100, to: 50_000 }),
  sparse('/v2/workspace/audit/get', { actions: ['agent.created', 'token.reset'] }),
  sparse('/v2/workspace/audit/get', { apiKey: 'key_big' }),
  list('/v2/workspace/audit/export'),
  // A row for each workspace; here there is one, whose chain is not whole, so that its head is read again.
  { ...list('/v2/workspace/audit/verify'), reads: ['audit_heads'], queries: 4 },
  list('/v2/members/list'),
  list('/v2/members/invitations/list'),
  list('/v2/session/list'),
  list('/v2/tokens/list'),
  list('/v2/workspace/advancedwebhook/endpoints/get'),
  list(deliveries, { endpointId: ENDPOINT }),
  list(deliveries, { endpointId: ENDPOINT, status: 'failed' }),
  list(deliveries, { endpointId: ENDPOINT, status: 'waiting' }),
  list(deliveries, { webhookId: 'evt_77' }),
  sparse(deliveries, { endpointId: ENDPOINT, eventType: 'comment.add' }),
  sparse(deliveries, { endpointId: ENDPOINT, since: 10, until: 1_000 }),
];

/** Tables with few rows for any API key, which may be scanned. */
const SMALL = ['builtin_agents'];
/** Lists whose length does not grow with the tenant, or that always return a small whole. */
const EXEMPT = ['/v2/workspace/apikeys/get', '/v2/workspace/usage/get', '/v2/organizations/users/get'];

const member: Member = {
  ...{ accountId: ACCOUNT, memberId: 'member-1', name: 'One', email: null },
  ...{ role: 'owner', credentialId: 'session-1' },
};
const caller = {
  ...{ workspaceId: 'ws_big', apiKeyId: 'key_big', member },
  session: { accountId: ACCOUNT, sessionId: 'session-1' },
};
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
  database = await openBigDatabase(async (db) => {
    await fillWorkspace(db, caller, ROWS);
    await fillTenant(db, caller, ROWS);
  });
}, 180_000);

afterAll(() => database?.close());

const endpointOf = (path: string): Endpoint => {
  const found = endpoints.find((endpoint) => [endpoint.path].flat().includes(path));
  if (!found) throw new Error(`No operation ${path}.`);
  return found;
};

/** True if a list pages in both directions with `iterator`. */
const isTwoWay = ({ data }: Endpoint): boolean => data instanceof z.ZodObject && 'iterator' in data.shape;

/** Requests a page, and returns its queries and the cursor of the next page. */
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
    origin: () => 'http://127.0.0.1',
  })) as { next?: string; iterator?: string | null };
  return { queries, next: endpoint.page ? answer.next : (answer.iterator ?? undefined) };
}

/** Runs the statements again with `explain`, in one transaction. */
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
    (item) => [`${item.path} ${JSON.stringify(item.data)}${item.asUser ? ' as a user' : ''}`, item] as const,
  ),
)('%s uses an index for the first page and a later one', async (_name, item) => {
  const first = await ask(item, undefined);
  let next = first.next;
  for (let hops = 0; hops < 3 && next !== undefined; hops++) next = (await ask(item, next)).next;
  const pages = [first.queries, ...(next === undefined ? [] : [(await ask(item, next)).queries])];
  for (const queries of pages) {
    expect(queries.length).toBeLessThanOrEqual(item.queries ?? (item.asUser ? 4 : 3));
    const plans = await plansOf(queries);
    const texts = plans.map((plan) => plan.text).join('\n\n');
    expect(
      plans
        .flatMap((plan) => plan.sequential)
        .filter((table) => ![...SMALL, ...(item.reads ?? [])].includes(table)),
      texts,
    ).toEqual([]);
    if (!item.sparse) expect(total(plans), texts).toBeLessThanOrEqual(PAGE * MAX_ROWS_PER_SHOWN + 2_100);
  }
});

test('counts by day read the runs of their range, and the findings that were open in it, by indexes', async () => {
  const november = { from: '2026-11-01', to: '2026-11-30' };
  for (const filter of [{}, { agentId: 'agent-1' }, onDocument]) {
    const { queries } = await ask(list('/v2/agents/analytics/series', { ...november, ...filter }), undefined);
    const plans = await plansOf(queries);
    const sequential = plans.flatMap((plan) => plan.sequential);
    expect(sequential, plans.map((plan) => plan.text).join('\n\n')).not.toContain('executions');
    expect(sequential).not.toContain('finding_records');
    const { indexes } = plans.find(({ text }) => text.includes('from finding_records'))!;
    expect(indexes).toContain('finding_records_by_end');
  }
});

test('every list of the service is checked', () => {
  const lists = endpoints
    .filter((endpoint) => endpoint.kind === 'read' && (endpoint.page !== undefined || isTwoWay(endpoint)))
    .map((endpoint) => [endpoint.path].flat()[0]!);
  const checked = new Set([...cases.map(({ path }) => path), ...EXEMPT]);
  expect(lists.filter((path) => !checked.has(path) && !checked.has(path.replace('/v1/', '/v2/')))).toEqual(
    [],
  );
});
