import { logComments } from '../src/activities/log-comments.ts';
import type { Db, Tx } from '../src/db/tables.ts';
import { oldestWaitingMs, relayBatch } from '../src/events/outbox-relay.ts';
import type { Jobs } from '../src/jobs/queue.ts';
import { longestExpiredLeaseMs, requeueExpiredRuns } from '../src/store/agents/execution-leases.ts';
import { countRunning } from '../src/store/agents/executions.ts';
import { oldDeliveries, oldEvents } from '../src/store/retention/old-rows.ts';
import { loadDue, releaseIdleLane } from '../src/store/webhooks/due-deliveries.ts';
import { longestUnattendedMs, oldestUndeliveredMs } from '../src/store/webhooks/endpoint-health.ts';
import { claimLanes, recordAttempts } from '../src/store/webhooks/lanes.ts';
import type { Tenant } from './growth-rows.ts';

/** The default of the settings that keep events and webhook messages. */
const KEPT_MS = 90 * 86_400_000;

/** A place with rows, of one size. */
export interface Site {
  db: Db;
  tenant: Tenant;
  /** Number of rows of the measured part. */
  rows: number;
}

/** An operation over HTTP is its path and its data; background work is a function. */
export type Operation =
  | { path: string; data: (site: Site, n: number) => object; asUser?: true }
  | ((site: Site, n: number) => Promise<unknown>);

const organizationId = 'acme';
/** A number between 1 and the number of rows, spread over all of them. */
const anyOf = ({ rows }: Site, n: number) => ((n * 7_919 * 104_729) % rows) + 1;

/** Runs work in a transaction that is rolled back, so that it can be repeated. */
const undone = async ({ db }: Site, work: (tx: Tx) => Promise<unknown>): Promise<void> => {
  const undo = new Error('undo');
  await db
    .transaction()
    .execute(async (tx) => {
      await work(tx);
      throw undo;
    })
    .catch((error) => {
      if (error !== undo) throw error;
    });
};

/** A `Db` whose transactions are rolled back. */
const undoing = (site: Site) =>
  new Proxy(site.db, {
    get(db, name) {
      const member: unknown = Reflect.get(db, name, db);
      if (name !== 'transaction') return typeof member === 'function' ? member.bind(db) : member;
      return () => ({
        async execute<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
          let result: T;
          await undone(site, async (tx) => {
            result = await work(tx);
          });
          return result!;
        },
      });
    },
  });

const webhooks = '/v2/workspace/advancedwebhook';
const endpointOf = ({ tenant }: Site, n: number) => tenant.endpointIds[n % tenant.endpointIds.length]!;
const laneOf = (site: Site, n: number) => ({
  apiKeyId: site.tenant.apiKeyId,
  endpointId: endpointOf(site, n),
});
const now = () => Date.now();
const noJobs = { enqueue: async () => {} } as unknown as Jobs;
const commented = (n: number) => ({
  organizationId,
  documentId: 'page-0',
  annotationId: `thread-${n % 4}`,
  commentData: [{ commentText: 'Shorter, please.', from: { userId: 'eve' } }],
});

export const OPERATIONS: Record<string, Record<string, Operation>> = {
  users: {
    'users/get, a page': {
      path: '/v2/users/get',
      data: () => ({ organizationId, pageSize: 50 }),
    },
    'users/get, by id': {
      path: '/v2/users/get',
      data: (site, n) => ({ organizationId, userIds: [`user-${anyOf(site, n)}`] }),
    },
    'users/get, of a group': {
      path: '/v2/users/get',
      data: () => ({ organizationId, organizationUserGroupIds: ['editors'] }),
    },
    'users/get, as a user': {
      path: '/v2/users/get',
      data: () => ({ organizationId, pageSize: 50 }),
      asUser: true,
    },
    'users/add, new': {
      path: '/v2/users/add',
      data: (_site, n) => ({ organizationId, users: [{ userId: `new-${process.pid}-${n}`, name: 'New' }] }),
    },
    'users/add, known': {
      path: '/v2/users/add',
      data: (site, n) => ({ organizationId, users: [{ userId: `user-${anyOf(site, n)}`, name: 'Known' }] }),
    },
    'users/update': {
      path: '/v2/users/update',
      data: (site, n) => ({ organizationId, users: [{ userId: `user-${anyOf(site, n)}`, name: 'Other' }] }),
    },
    'users/documents/get': {
      path: '/v2/users/documents/get',
      data: (site, n) => ({ organizationId, userIds: [`user-${anyOf(site, n)}`] }),
    },
    'access check: comments of a document, as a user': {
      path: '/v2/commentannotations/get',
      data: () => ({ organizationId, documentId: 'page-0', pageSize: 10 }),
      asUser: true,
    },
  },
  notifications: {
    'notifications/get, of a user': {
      path: '/v2/notifications/get',
      data: () => ({ organizationId, userId: 'ada', pageSize: 20 }),
    },
    'notifications/get, oldest first': {
      path: '/v2/notifications/get',
      data: () => ({ organizationId, userId: 'ada', order: 'asc', pageSize: 20 }),
    },
    'notifications/get, as the user': {
      path: '/v2/notifications/get',
      data: () => ({ organizationId, userId: 'ada', pageSize: 20 }),
      asUser: true,
    },
    'notifications/get, of a user on a document': {
      path: '/v2/notifications/get',
      data: () => ({ organizationId, documentId: 'page-1', userId: 'ada', pageSize: 20 }),
    },
    'notifications/get, of a document': {
      path: '/v2/notifications/get',
      data: () => ({ organizationId, documentId: 'page-1', pageSize: 20 }),
    },
    'notifications/get, by id': {
      path: '/v2/notifications/get',
      data: (site, n) => ({
        organizationId,
        documentId: `page-${Math.floor((anyOf(site, n) * 1) / 10) % 4}`,
        notificationIds: [`ntf_${anyOf(site, n)}`],
      }),
    },
    'notifications/add': {
      path: '/v2/notifications/add',
      data: () => ({
        organizationId,
        documentId: 'page-0',
        actionUser: { userId: 'eve' },
        displayHeadlineMessageTemplate: '{actionUser} asks',
        displayBodyMessage: 'Please read it.',
        notifyUsers: [{ userId: 'ada', email: 'ada@example.com' }],
        notifyAll: false,
      }),
    },
    'notifications/update, mark as read': {
      path: '/v2/notifications/update',
      data: (site, n) => ({
        organizationId,
        notifications: [{ id: `ntf_${anyOf(site, n)}`, readByUserIds: ['ada'] }],
      }),
    },
    'notifications/update, recipients': {
      path: '/v2/notifications/update',
      data: (site, n) => ({
        organizationId,
        notifications: [{ id: `ntf_${anyOf(site, n)}`, notifyUsers: [{ userId: 'bob', name: 'Bob' }] }],
      }),
    },
    'notifications/update, as the user': {
      path: '/v2/notifications/update',
      data: (site, n) => ({
        organizationId,
        notifications: [{ id: `ntf_${Math.ceil(anyOf(site, n) / 10) * 10}`, readByUserIds: ['ada'] }],
      }),
      asUser: true,
    },
  },
  outbox: {
    'relay: takes a batch': (site) => relayBatch(undoing(site), []),
    'relay: takes a batch that activities want': (site) => relayBatch(undoing(site), [logComments]),
    'age of the oldest event': ({ db }) => oldestWaitingMs(db),
    'deletion of old events': ({ db }) => oldEvents.remove(db, now() - KEPT_MS, new AbortController().signal),
    'comments/add': {
      path: '/v2/commentannotations/comments/add',
      data: (_site, n) => commented(n),
    },
  },
  webhooks: {
    'deliveries/get, of an endpoint': {
      path: `${webhooks}/deliveries/get`,
      data: (site, n) => ({ endpointId: endpointOf(site, n) }),
    },
    'deliveries/get, given up': {
      path: `${webhooks}/deliveries/get`,
      data: (site, n) => ({ endpointId: endpointOf(site, n), status: 'failed', limit: 1 }),
    },
    'deliveries/get, waiting': {
      path: `${webhooks}/deliveries/get`,
      data: (site, n) => ({ endpointId: endpointOf(site, n), status: 'waiting', limit: 1 }),
    },
    'deliveries/get, delivered': {
      path: `${webhooks}/deliveries/get`,
      data: (site, n) => ({ endpointId: endpointOf(site, n), status: 'delivered' }),
    },
    'deliveries/get, of an event': {
      path: `${webhooks}/deliveries/get`,
      data: (site, n) => ({ endpointId: endpointOf(site, 0), eventType: 'comment.add', limit: 10 + (n % 2) }),
    },
    'deliveries/get, of the last minute': {
      path: `${webhooks}/deliveries/get`,
      data: (site, n) => ({ endpointId: endpointOf(site, n), since: Date.now() - 60_000 }),
    },
    'deliveries/get, of a message': {
      path: `${webhooks}/deliveries/get`,
      data: (site, n) => ({ webhookId: `evt_${anyOf(site, n)}`, includePayload: true }),
    },
    'endpoints/get': { path: `${webhooks}/endpoints/get`, data: () => ({}) },
    'due deliveries of a lane': (site, n) =>
      loadDue(site.db, laneOf(site, n), { now: now(), limit: 1, except: [], basic: false, bytes: 1_000_000 }),
    'claim of lanes': (site) =>
      undone(site, (tx) =>
        claimLanes(tx, 'bench', { dueBy: now(), now: now(), until: now() + 1_000, limit: 10 }),
      ),
    'end of a lane': (site, n) => releaseIdleLane(undoing(site), 'bench', laneOf(site, n), 0),
    'record of attempts': (site, n) =>
      undone(site, async (tx) => {
        const due = await loadDue(tx, laneOf(site, n), {
          now: now(),
          limit: 1,
          except: [],
          basic: false,
          bytes: 1_000_000,
        });
        const attempt = { at: now(), outcome: 'delivered', status: 200, latencyMs: 12 } as const;
        await recordAttempts(
          tx,
          due.slice(0, 1).map(({ messageId, tries }) => ({
            ...laneOf(site, n),
            messageId,
            triesBefore: tries,
            status: 'delivered',
            nextAt: null,
            attempt,
          })),
        );
      }),
    'age of the oldest delivery': ({ db }) => oldestUndeliveredMs(db),
    'lanes without a process': ({ db }) => longestUnattendedMs(db),
    'deletion of old messages': ({ db }) =>
      oldDeliveries.remove(db, now() - KEPT_MS, new AbortController().signal),
  },
  executions: {
    'execution/list, of an agent': {
      path: '/v2/agents/execution/list',
      data: (_site, n) => ({ agentId: `agent-${n % 10}`, pageSize: 10 }),
    },
    'execution/list, of a document': {
      path: '/v2/agents/execution/list',
      data: () => ({ organizationId, documentId: 'page-0', pageSize: 10 }),
    },
    'execution/list, of both': {
      path: '/v2/agents/execution/list',
      data: (_site, n) => ({
        agentId: `agent-${(n * 2) % 10}`,
        organizationId,
        documentId: 'page-0',
        pageSize: 5,
      }),
    },
    'execution/get': {
      path: '/v2/agents/execution/get',
      data: (site, n) => ({ executionId: `exec_${anyOf(site, n)}`, includeResults: true }),
    },
    'runs without a process': (site) => requeueExpiredRuns(undoing(site), noJobs),
    'age of the oldest lease': ({ db }) => longestExpiredLeaseMs(db),
    'number of runs': ({ db }) => countRunning(db),
  },
  documents: {
    'documents/get, a page': {
      path: '/v2/organizations/documents/get',
      data: () => ({ organizationId: 'tree', pageSize: 50 }),
    },
    'documents/get, of a folder': {
      path: '/v2/organizations/documents/get',
      data: (site, n) => ({ organizationId: 'tree', folderId: `folder-${(n % (site.rows / 10)) + 1}` }),
    },
    'documents/get, by id': {
      path: '/v2/organizations/documents/get',
      data: (site, n) => ({ organizationId: 'tree', documentIds: [`document-${anyOf(site, n)}`] }),
    },
    'documents/add': {
      path: '/v2/organizations/documents/add',
      data: (_site, n) => ({
        organizationId: 'tree',
        documents: [{ documentId: `new-${process.pid}-${n}`, documentName: 'New' }],
        folderId: 'folder-1',
      }),
    },
    'documents/update': {
      path: '/v2/organizations/documents/update',
      data: (site, n) => ({
        organizationId: 'tree',
        documents: [{ documentId: `document-${anyOf(site, n)}`, documentName: 'Renamed' }],
      }),
    },
    'folders/get, top level': {
      path: '/v2/organizations/folders/get',
      data: () => ({ organizationId: 'tree' }),
    },
    'folders/get, two levels': {
      path: '/v2/organizations/folders/get',
      data: () => ({ organizationId: 'tree', folderId: 'folder-1', maxDepth: 1 }),
    },
    'folders/add': {
      path: '/v2/organizations/folders/add',
      data: (_site, n) => ({
        organizationId: 'tree',
        folders: [{ folderId: `new-${process.pid}-${n}`, parentFolderId: 'folder-2' }],
      }),
    },
    'folders/update, moves a folder': {
      path: '/v2/organizations/folders/update',
      data: (_site, n) => ({
        organizationId: 'tree',
        folders: [{ folderId: 'folder-3', parentFolderId: `folder-${1 + (n % 2)}` }],
      }),
    },
    'access check: comments of a document in a folder, as a user': {
      path: '/v2/commentannotations/get',
      data: (site, n) => ({ organizationId: 'tree', documentId: `document-${anyOf(site, n)}`, pageSize: 10 }),
      asUser: true,
    },
  },
};
