import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../run/until.ts';
import type { Service } from '../service/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

/** What a caller needs to read the tenant again, with any later version. */
export interface Tenant {
  workspace: Record<string, string>;
  apiKey: Record<string, string>;
  executionId: string;
  scheduleId: string;
  agentId: string;
  endpointId: string;
  /** The secret of the webhook endpoint, which is stored sealed with the master key. */
  secret: string;
}

const PAGE = `<!doctype html><html lang="en"><title>Osprey</title><h1>Osprey</h1><p>A boat for two.</p>
<img src="/boat.png" width="40" height="30">`;
const PLACE = { organizationId: 'acme', documentId: 'home' };
const SEARCH = { query: 'a picture without a text', limit: 50 };
const ADA = { userId: 'ada', name: 'Ada', email: 'ada@acme.dev' };

/** Calls an operation, and returns `result`, or the answer if it has no envelope. Throws if the call fails. */
export async function call(service: Service, path: string, data: object, headers = {}): Promise<Any> {
  const { status, body } = await service.post(path, data, headers);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return (body as Any).result ?? body;
}

/** Fills a new service with one tenant that has something of everything that is stored. */
export async function fillTenant(service: Service): Promise<Tenant> {
  const created = await call(service, '/v2/workspace/create', {
    ownerEmail: 'ada@acme.dev',
    workspaceName: 'Acme',
  });
  const { id, authToken, apiKeyList } = created.data;
  const workspace = { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken };
  const key = Object.keys(apiKeyList)[0]!;
  const tokens = await call(service, '/v2/workspace/authtokens/get', { apiKey: key }, workspace);
  const apiKey = { 'x-service-api-key': key, 'x-service-auth-token': tokens.data.authTokens[0].token };
  const must = async (path: string, data: object): Promise<Any> =>
    (await call(service, path, data, apiKey)).data;
  await fillDocument(must);
  const endpointId = await fillWebhooks(must);
  const { secret } = await must('/v2/workspace/advancedwebhook/endpoints/secret/get', { endpointId });
  const { agentId, scheduleId } = await fillAgents(must);
  const executionId = await reviewPage(must);
  await must('/v2/memory/judgments/add', {
    judgments: [
      {
        id: 'judged-1',
        ...PLACE,
        decision: 'approve',
        reasoning: 'The picture needs a text.',
        actionUser: ADA,
      },
      {
        id: 'judged-2',
        ...PLACE,
        decision: 'reject',
        reasoning: 'The name of a boat is no mistake.',
        actionUser: ADA,
      },
    ],
  });
  // Everything that follows from these changes in the background has been done: a search finds by meaning, and the audit log
  // is chained.
  await until(async () => {
    const { results } = await call(service, '/v2/memory/search', SEARCH, apiKey);
    return results.length > 2 && results.every(({ similarity }: Any) => similarity !== 0);
  }, 'the judgments to be embedded');
  await until(async () => {
    const { data } = await call(service, '/v2/workspace/audit/verify', {}, workspace);
    return data.isWhole && data.unchained === 0;
  }, 'the audit log to be chained');
  return { workspace, apiKey, executionId, scheduleId, agentId, endpointId, secret };
}

type Must = (path: string, data: object) => Promise<Any>;

async function fillDocument(must: Must): Promise<void> {
  await must('/v2/organizations/add', {
    organizations: [{ organizationId: 'acme', organizationName: 'Acme' }],
  });
  await must('/v2/organizations/folders/add', {
    organizationId: 'acme',
    folders: [{ folderId: 'site', folderName: 'Site' }],
  });
  await must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    folderId: 'site',
    documents: [{ documentId: 'home', documentName: 'Home — 首页 😀', edition: 'second' }],
  });
  await must('/v2/users/add', {
    organizationId: 'acme',
    users: [
      { ...ADA, accessRole: 'editor' },
      { userId: 'bo', name: 'Bo', email: 'bo@acme.dev', accessRole: 'viewer' },
    ],
  });
  await must('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } });
  await must('/v2/commentannotations/add', {
    ...PLACE,
    commentAnnotations: [
      {
        annotationId: 'note-1',
        location: { id: 'hero', locationName: 'Hero' },
        commentData: [
          { commentId: 1001, commentText: 'Grüße, 世界 😀', from: ADA },
          { commentId: 1002, commentText: 'An answer', from: { userId: 'bo' } },
        ],
      },
      { annotationId: 'note-2', commentData: [{ commentId: 1003, commentText: 'Resolved', from: ADA }] },
    ],
  });
  await must('/v2/commentannotations/update', {
    ...PLACE,
    annotationIds: ['note-2'],
    updatedData: { status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' } },
  });
  await must('/v2/commentannotations/reactions/add', {
    ...PLACE,
    annotationId: 'note-1',
    commentId: 1001,
    reactionId: '👍',
    from: ADA,
  });
  await must('/v2/notifications/add', {
    ...PLACE,
    actionUser: ADA,
    notificationId: 'bell-1',
    notifyUsers: [{ userId: 'bo' }],
    displayHeadlineMessageTemplate: 'Look at this',
    displayBodyMessage: 'Look',
  });
  await must('/v2/activities/add', {
    ...PLACE,
    activities: [
      {
        id: 'act-1',
        featureType: 'custom',
        actionType: 'looked',
        actionUser: ADA,
        targetEntityId: 'thing',
        displayMessageTemplate: 'Ada looked',
      },
    ],
  });
  await must('/v2/crdt/add', { ...PLACE, editorId: 'body', type: 'text', data: 'A text of two people.' });
  await must('/v2/crdt/snapshots/create', { ...PLACE, editorId: 'body', name: 'First' });
}

async function fillWebhooks(must: Must): Promise<string> {
  await must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  // Refuses every connection.
  const endpoint = await must('/v2/workspace/advancedwebhook/endpoints/create', {
    url: 'http://127.0.0.1:9/hook',
    description: 'The backend',
  });
  await must('/v2/workspace/advancedwebhook/endpoints/test', { endpointId: endpoint.id });
  return endpoint.id;
}

async function fillAgents(must: Must): Promise<{ agentId: string; scheduleId: string }> {
  const { agentId } = await must('/v2/agents/create', {
    name: 'House style',
    contextGathering: { strategies: ['web-page-text'] },
    instructions: 'Report what breaks the house style.',
    execution: {
      executionStrategy: 'mcp-tools',
      mcpServers: [
        {
          id: 'docs',
          url: 'https://example.com/mcp',
          auth: { type: 'bearer', token: 'sealed with the key' },
        },
      ],
    },
  });
  await must('/v2/agents/version/update', { agentId, rawInstructions: 'Report what breaks our style.' });
  const { schedule } = await must('/v2/reviews/schedules/create', {
    name: 'Every morning',
    cron: '0 7 * * *',
    review: { urls: ['https://example.com/'], agents: ['broken-links'], ...PLACE },
  });
  return { agentId, scheduleId: schedule.id };
}

/** Reviews a page in the browser, and returns the id of the run, whose findings became suggestions. */
async function reviewPage(must: Must): Promise<string> {
  const site = createServer(({ url }, answer) => {
    answer.setHeader('content-type', 'text/html; charset=utf-8').end(url === '/' ? PAGE : '');
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  try {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    const { executionId } = await must('/v2/agents/execution/run', {
      agentId: 'accessibility-checker',
      url,
      ...PLACE,
      ranBy: ADA,
    });
    await until(async () => {
      const { execution } = await must('/v2/agents/execution/get', { executionId });
      return execution.status !== 'running';
    }, 'the review to end');
    return executionId;
  } finally {
    site.close();
  }
}

/** Everything that is read of a tenant: the path of an operation, its data, and the credentials that it takes. */
const reads = (tenant: Tenant): [string, object, 'workspace' | 'apiKey'][] => [
  ['/v2/workspace/get', {}, 'workspace'],
  ['/v2/workspace/apikeys/get', {}, 'workspace'],
  ['/v2/workspace/activityconfig/get', {}, 'apiKey'],
  ['/v2/organizations/get', {}, 'apiKey'],
  ['/v2/organizations/folders/get', { organizationId: 'acme' }, 'apiKey'],
  ['/v2/organizations/documents/get', { organizationId: 'acme' }, 'apiKey'],
  ['/v2/users/get', { organizationId: 'acme' }, 'apiKey'],
  ['/v2/commentannotations/get', { ...PLACE, pageSize: 100 }, 'apiKey'],
  [
    '/v2/commentannotations/count/get',
    { organizationId: 'acme', documentIds: ['home'], userId: 'bo' },
    'apiKey',
  ],
  ['/v2/notifications/get', { organizationId: 'acme', userId: 'bo' }, 'apiKey'],
  ['/v2/activities/get', { ...PLACE, pageSize: 100 }, 'apiKey'],
  ['/v2/crdt/get', { ...PLACE, editorId: 'body' }, 'apiKey'],
  ['/v2/crdt/snapshots/list', { ...PLACE, editorId: 'body' }, 'apiKey'],
  ['/v2/agents/get', { agentId: tenant.agentId }, 'apiKey'],
  ['/v2/agents/versions/list', { agentId: tenant.agentId }, 'apiKey'],
  ['/v2/agents/execution/get', { executionId: tenant.executionId, includeResults: true }, 'apiKey'],
  ['/v2/agents/findings/list', {}, 'apiKey'],
  ['/v2/reviews/schedules/get', { scheduleId: tenant.scheduleId }, 'apiKey'],
  ['/v2/memory/search', SEARCH, 'apiKey'],
  ['/v2/workspace/advancedwebhook/endpoints/get', { endpointId: tenant.endpointId }, 'apiKey'],
  ['/v2/workspace/audit/get', { pageSize: 100 }, 'workspace'],
  ['/v2/workspace/audit/verify', {}, 'workspace'],
];

/** Reads the whole tenant. Returns the answers by operation, without what depends on the time or the address. */
export async function readTenant(service: Service, tenant: Tenant): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [path, data, credentials] of reads(tenant)) {
    const answer = await call(service, path, data, tenant[credentials]);
    // The order follows from scores, which the time changes.
    answer.results?.sort((one: Any, other: Any) => (one.recordId < other.recordId ? -1 : 1));
    // Some operations answer without a field `data`.
    answers[path] = lasting(answer.data ?? answer, service.url);
  }
  return answers;
}

/** Fields whose values change without a change of the data: marks of pages, scores of the time that passes. */
const PASSING = /^(?:nextPageToken|pageToken|score|similarity|recency\w*|nextAt|searchLatencyMs)$/;

/** A value without these fields, and with addresses of the service at `base` shortened. */
export function lasting(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => lasting(entry, base));
  if (typeof value === 'string' && value.startsWith(base))
    return value.slice(base.length).replace(/\?.*/, '?…');
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !PASSING.test(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, lasting(inner, base)]));
}

/** Reads the secret of the webhook endpoint, which leaves an entry in the audit log. */
export const readSecret = async (service: Service, { endpointId, apiKey }: Tenant): Promise<string> =>
  (await call(service, '/v2/workspace/advancedwebhook/endpoints/secret/get', { endpointId }, apiKey)).data
    .secret;

/** Reads a stored file of the tenant, a screenshot of its run, and returns its size in bytes. */
export async function readScreenshot(service: Service, { executionId, apiKey }: Tenant): Promise<number> {
  const wanted = { executionId, includeResults: true };
  const { data } = await call(service, '/v2/agents/execution/get', wanted, apiKey);
  const file = await fetch(`${service.url}/v2/blobs/${data.artifacts[0].artifactId}`, { headers: apiKey });
  if (!file.ok) throw new Error(`The screenshot is answered with ${file.status}.`);
  return (await file.arrayBuffer()).byteLength;
}
