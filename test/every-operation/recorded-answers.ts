import { files } from '../../src/api/files.ts';
import { endpoints, routes } from '../../src/api/index.ts';
import { addDocs } from '../../src/http/docs-site/site.ts';
import { exampleOf } from '../../src/http/openapi/openapi.ts';
import { recordedAs } from '../../src/http/openapi/response-examples.ts';
import { createServer } from '../../src/http/server/server.ts';
import { embedWaiting } from '../../src/memory/embedding/embedding-worker.ts';
import { runExecution } from '../../src/review/run/run-execution.ts';
import { runReview } from '../../src/review/run/run-review.ts';
import { chainAudit } from '../../src/store/audit/chain-audit.ts';
import { countStored, countWorkspaceStored } from '../../src/store/platform/stored-bytes.ts';
import { png, put } from '../documents/attachments.ts';
import type { Page } from '../fakes/site.ts';
import { givenDeliveries } from '../messages/webhook-deliveries.ts';
import { signIn } from '../people/console-session.ts';
import { addMember } from '../people/members.ts';
import { stageModels } from '../reviews/model-stage.ts';
import { siteOf } from '../reviews/runs.ts';
import { keepScreenshot, plainTile } from '../reviews/screenshots.ts';
import { newWorkspace, type Reply, send, type TestWorkspace, testApp } from '../service/harness.ts';
import { modelsFor, needsReply } from './example-models.ts';
import { headersOf, inOrder, LatestIds } from './example-order.ts';
import { readKnowledge } from './known-file.ts';
import { raiseAlert } from './raised-alert.ts';
import { readable } from './readable-answer.ts';

export interface Answer {
  reply: Reply;
  /** The body of the reply as an example shows it. */
  example: unknown;
}

const place = { organizationId: 'acme', documentId: 'website' };
const eve = { userId: 'eve', name: 'Eve', email: 'eve@example.com' };
const PAGES: Record<string, Page> = {
  '/': '<title>Acme</title><h1>Acme</h1><p><a href="/prices">Prices</a> <a href="/team">Our team</a></p>',
  '/prices':
    '<title>Prices</title><h1>Prices</h1><p>9 EUR per month, see <a href="/terms">the terms</a>.</p>',
  '/webhooks': '',
};

interface Stage {
  workspace: TestWorkspace;
  ids: LatestIds;
  pages: Record<string, Page>;
  /** The address of the reviewed site. */
  url: string;
}
type Prepare = (stage: Stage) => Promise<void>;

/** Starts a run of the example agent on the site. */
async function startRun({ workspace, ids, url }: Stage, where: object = place): Promise<void> {
  const run = { agentId: 'broken-links', url: `${url}/`, ...where, crossPageExecute: true };
  ids.keep(JSON.stringify(await workspace.must('/v2/agents/execution/run', run)));
}

/** Executes the latest run as a worker would. */
async function finishRun({ workspace, ids }: Stage): Promise<void> {
  const { deps } = await testApp();
  const executionId = JSON.parse(ids.fill('"exec_1767260000000_1a2B3cD4eF5g"')) as string;
  const ref = { workspaceId: workspace.workspaceId, apiKeyId: workspace.apiKeyId, executionId };
  await runExecution(ref, deps, new AbortController().signal);
}

/** Gives the memory what its examples ask for: more than one decision about one question. */
async function remember({ workspace }: Stage): Promise<void> {
  const reasons = ['Prices are shown with tax.', 'Say whether tax is included.', 'The tax is missing again.'];
  await workspace.post('/v2/memory/judgments/add', {
    judgments: Array.from({ length: 9 }, (_, index) => ({
      id: `review-${2042 + index}`,
      ...place,
      decision: 'reject',
      reasoning: reasons[index % reasons.length],
      content: `Price card: ${19 + index} EUR without tax`,
      contentType: 'price',
      actionUser: index % 2 === 0 ? eve : { userId: 'bob', name: 'Bob', email: 'bob@example.com' },
    })),
  });
  await embedWaiting((await testApp()).deps, workspace);
  await workspace.post('/v2/memory/consolidate', { force: true });
}

/** What must exist before an example so that its answer shows something. */
const BEFORE: Record<string, Prepare> = {
  '/v2/workspace/usage/get': async ({ workspace: { apiKeyId, workspaceId } }) => {
    const { db } = (await testApp()).deps;
    await countStored(db, apiKeyId);
    await countWorkspaceStored(db, workspaceId);
  },
  '/v2/workspace/audit/get': async () => chainAudit((await testApp()).deps.db),
  '/v2/workspace/advancedwebhook/deliveries/get': async ({ workspace, ids }) => {
    const endpointId = JSON.parse(ids.fill('"ep_1a2B3cD4eF5gH6jK7mN8"')) as string;
    const at = Date.now();
    const attempt = { outcome: 'refused', status: 503, latencyMs: 41, error: 'It answered 503.' } as const;
    await givenDeliveries(workspace, {
      seq: 1,
      endpointId,
      messageId: 'evt_0Lq2Wd7Kx9Rt5Yb3Nh8M',
      eventType: 'comment_annotation.add',
      createdAt: at,
      attempts: [
        { at, ...attempt },
        { at: at + 5_000, ...attempt },
      ],
    });
  },
  '/v2/agents/execution/run': async (stage) => {
    await startRun(stage);
    await finishRun(stage);
    stage.pages['/'] += '<p><a href="/jobs">Jobs</a></p>';
  },
  '/v2/agents/execution/get': finishRun,
  '/v2/agents/findings/picture': async ({ workspace, ids }) => {
    const findingId = JSON.parse(ids.fill('"fnd_1a2B3cD4eF5gH6iJ7kL8"')) as string;
    const fields = { position: { x: 24, y: 96, width: 120, height: 20 } };
    await keepScreenshot(workspace, findingId, [await plainTile()], { fields });
  },
  '/v2/reviews/get': async ({ workspace, ids }) => {
    const reviewId = JSON.parse(ids.fill('"review_1767260000000_1a2B3cD4eF5g"')) as string;
    const ref = { workspaceId: workspace.workspaceId, apiKeyId: workspace.apiKeyId, reviewId };
    await runReview(ref, (await testApp()).deps, new AbortController().signal);
  },
  '/v2/reviews/cancel': async ({ workspace, ids, url }) => {
    const run = { urls: [`${url}/team`], preset: 'privacy' };
    ids.keep(JSON.stringify(await workspace.must('/v2/reviews/run', run)));
  },
  '/v2/members/remove': async ({ workspace, ids }) => {
    const { memberId } = await addMember(workspace, 'viewer');
    ids.keep(JSON.stringify({ memberId }));
  },
  // The document is deleted by then.
  '/v2/agents/execution/cancel': (stage) => startRun(stage, {}),
  '/v2/organizations/documents/count': async ({ workspace }) => {
    await workspace.must('/v2/organizations/documents/update', {
      organizationId: 'acme',
      documents: [{ documentId: 'website', owner: 'Eve' }],
    });
  },
  '/v2/organizations/usergroups/get': async ({ workspace }) => {
    await workspace.must('/v2/organizations/usergroups/users/add', {
      organizationId: 'acme',
      organizationUserGroupId: 'design',
      userIds: ['eve', 'bob'],
    });
  },
  '/v2/users/data/delete/status': async ({ workspace, ids }) => {
    const { body } = await workspace.post('/v2/users/data/delete', { userIds: ['dan'] });
    ids.keep(JSON.stringify(body));
  },
  '/v2/memory/search': remember,
};

/** What follows an example, as in the background of a service. */
const AFTER: Record<string, (workspace: TestWorkspace, reply: Reply) => Promise<void>> = {
  async '/v2/attachments/create'(_, { body }) {
    const picture = png(1_280, 720);
    // The example announces this many bytes.
    const size = 123_456;
    await put(body.result.data.uploadUrl, Buffer.concat([picture, Buffer.alloc(size - picture.length)]));
  },
  '/v2/memory/knowledge/ingest': (workspace, { body }) => readKnowledge(workspace, body.result.sourceId),
};

/** The order of the examples, but the data of eve is removed only when no other example needs it. */
const order = () => {
  const path = '/v2/users/data/delete';
  const all = inOrder();
  const removal = all.find((operation) => operation.path === path)!;
  const others = all.filter((operation) => operation !== removal);
  const end = others.findIndex((operation) => operation.path === '/v2/users/delete');
  return others.toSpliced(end, 0, removal);
};

const nameOf = (workspace: TestWorkspace): string => workspace.email.split('@')[0]!;
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Sends the example of every operation to a service, and returns the answers by path. */
export async function recordAnswers(): Promise<Map<string, Answer>> {
  const workspace = await newWorkspace();
  const session = await signIn(workspace);
  const ids = new LatestIds(workspace);
  const pages = { ...PAGES };
  const site = await siteOf(pages);
  const stage: Stage = { workspace, ids, pages, url: site.url };
  const call = async (path: string, data: object) => {
    const { result } = (await workspace.post(path, data)).body;
    return result.data ?? result;
  };
  ids.keep(JSON.stringify(await raiseAlert(call, 'eve', 'No prices without tax.', 'Eve')));
  const fresh = `${nameOf(workspace)}.new`;
  const own = {
    [site.url]: 'https://example.com',
    'http://localhost:80': 'https://redpen.example.com',
    'http%3A%2F%2Flocalhost%3A80': 'https%3A%2F%2Fredpen.example.com',
    '127.0.0.1': '192.0.2.7',
    [fresh]: 'ada',
    [capital(fresh)]: 'Ada',
    [nameOf(workspace)]: 'ada',
    [capital(nameOf(workspace))]: 'Ada',
  };
  const answers = new Map<string, Answer>();
  for (const operation of order()) {
    const { path, endpoint } = operation;
    await BEFORE[path]?.(stage);
    if (needsReply(path)) stageModels(modelsFor(path));
    const body = ids
      .fill(JSON.stringify({ data: exampleOf(endpoint) }))
      .replaceAll('https://example.com/webhooks', `${site.url}/webhooks`)
      .replaceAll('"url":"https://example.com/"', `"url":"${site.url}/"`)
      .replaceAll('https://example.com/pricing"', `${site.url}/prices"`)
      .replaceAll('ada@example.com', `${fresh}@example.com`)
      .replaceAll('token-of-the-api-key', workspace.token)
      .replaceAll('token-of-the-workspace', workspace.authToken)
      .replaceAll('"waitMs":20000', '"waitMs":0');
    const now = Date.now();
    const reply = await send(path, body, headersOf(operation, workspace, session));
    ids.keep(JSON.stringify(reply.body));
    answers.set(recordedAs(endpoint.path), { reply, example: readable(reply.body, now, own) });
    await AFTER[path]?.(workspace, reply);
  }
  for (const [path, answer] of await answersToGet()) answers.set(path, answer);
  return answers;
}

/** The answers in JSON to requests by GET, of a process all of whose dependencies work. */
async function answersToGet(): Promise<[string, Answer][]> {
  const { deps, authenticator } = await testApp();
  const now = Date.now();
  const checks = ['browser', 'files'].map((name) => ({ name, status: 'ok' as const, since: now }));
  const probes = { readiness: async () => ({ faults: [], warnings: [], checks }) };
  const app = await createServer({ deps, endpoints, files, probes, authenticator });
  await addDocs(app, routes);
  const answers: [string, Answer][] = [];
  for (const path of ['/live', '/health', '/ready', '/.well-known/jwks.json', '/']) {
    const { statusCode, headers, body } = await app.inject(path);
    const reply = { status: statusCode, headers, body: JSON.parse(body) };
    answers.push([path, { reply, example: readable(reply.body, now, {}) }]);
  }
  await app.close();
  return answers;
}
