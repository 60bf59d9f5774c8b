import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openBlobStore } from '../src/outside/storage/open-blob-store.ts';
import { runExecution } from '../src/review/run/run-execution.ts';
import { runReview } from '../src/review/run/run-review.ts';
import { resealRuns } from '../src/store/keys/key-rotation.ts';
import { type LoginSite, loginSite, SECRETS } from './fakes/login-site.ts';
import { siteOf, work } from './reviews/runs.ts';
import { until } from './run/until.ts';
import { newWorkspace, type TestWorkspace, testApp } from './service/harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

async function siteWithLogin(): Promise<LoginSite> {
  const site = await loginSite();
  onTestFinished(() => site.close());
  return site;
}

const steps = [
  { goto: '/login' },
  { fill: '#user', value: 'editor' },
  { fill: '#password', value: '{{secrets.password}}' },
  { click: 'button' },
  { waitFor: '/account' },
];
const byForm = { steps, secrets: { password: SECRETS.password } };

const start = async (w: TestWorkspace, request: object): Promise<string> =>
  (await w.must('/v2/agents/execution/run', request)).executionId;

const run = async (w: TestWorkspace, request: object): Promise<Any> => work(w, await start(w, request));

const messages = ({ log }: Any): string[] => log.map(({ message }: Any) => message);

/** Everything that is stored, as text, with a secret in it. Blobs of artifacts lie elsewhere. */
async function secretsInDatabase(): Promise<string[]> {
  const { deps } = await testApp();
  const { rows: tables } = await sql<{ tableName: string }>`
    select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(deps.db);
  expect(tables.length).toBeGreaterThan(40);
  const found: string[] = [];
  for (const { tableName } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(tableName)} as t where t::text like '%sesame-%'`.execute(
      deps.db,
    );
    found.push(...rows.map(({ row }) => `${tableName}: ${/.{0,150}sesame-.{0,50}/s.exec(row)}`));
  }
  return found;
}

/** Nothing of a session or of credentials has reached the third party. */
function expectNothingAt({ third }: LoginSite) {
  expect(third.requests.length).toBeGreaterThan(0);
  for (const { path, headers } of third.requests) {
    expect([path, headers.cookie, headers.authorization, headers['x-staging']]).toEqual([
      path,
      undefined,
      undefined,
      undefined,
    ]);
    expect(JSON.stringify(headers)).not.toContain('sesame-');
  }
}

test('pages behind a login form are reviewed, the session is renewed once, and nothing of it leaves the site', async () => {
  const site = await siteWithLogin();
  const w = await newWorkspace();
  site.endsAt.set('/account/b', 1);
  site.echoesPassword = true;
  const executionId = await start(w, {
    agentId: 'lorem-ipsum',
    url: `${site.url}/account`,
    crossPageExecute: true,
    auth: byForm,
  });
  const running = await w.must('/v2/agents/execution/get', { executionId });
  expect(await secretsInDatabase()).toEqual([]);
  const result = await work(w, executionId);
  const { execution, results } = result;
  expect(messages(result).filter((line) => line.includes('The session has ended'))).toHaveLength(1);
  expect(execution.status).toBe('failed');
  expect(results.map(({ url }: Any) => new URL(url).pathname).sort()).toEqual([
    '/account',
    '/account/a',
    '/account/b',
    '/account/c',
  ]);
  for (const page of results) expect(page.findings.length).toBeGreaterThan(0);
  expect(site.sessions).toHaveLength(2);
  expect(site.requests.filter((line) => /logout|delete/.test(line))).toEqual([]);
  expect(messages(result).filter((line) => line.startsWith('Not requested while signed in'))).toHaveLength(2);
  expectNothingAt(site);
  expect(running.execution.config.auth).toEqual({ steps: 5, secrets: ['password'] });
  expect(JSON.stringify([running, result])).not.toContain('sesame-');
  expect(await secretsInDatabase()).toEqual([]);
  const { deps } = await testApp();
  const row = await deps.db
    .selectFrom('executions')
    .select('request')
    .where('executionId', '=', executionId)
    .executeTakeFirstOrThrow();
  expect(row.request.auth?.sealed).toBeUndefined();
});

test('links are checked while signed in, without the third party, and the reviewed text keeps no secret', async () => {
  const site = await siteWithLogin();
  const w = await newWorkspace();
  const auth = { headers: { 'X-Staging': '{{secrets.key}}' }, secrets: { key: SECRETS.header } };
  const links = await run(w, { agentId: 'broken-links', url: `${site.url}/staging`, auth });
  expect(links.execution.status).toBe('failed');
  expect(links.execution.config.auth).toEqual({ headers: ['X-Staging'], secrets: ['key'] });
  const basic = { basic: { username: 'staging', password: SECRETS.basic } };
  const text = await run(w, { agentId: 'lorem-ipsum', url: `${site.url}/basic`, auth: basic });
  expect(text.execution.status).toBe('failed');
  expect(text.results[0].findings.length).toBeGreaterThan(0);
  expect(site.requests.filter((line) => /logout|delete/.test(line))).toEqual([]);
  expect(site.third.requests.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/link', '/redirected', '/script.js', '/frame']),
  );
  expectNothingAt(site);
  expect(JSON.stringify([links, text])).not.toContain('sesame-');
  expect(await secretsInDatabase()).toEqual([]);
});

test('a session that cannot be renewed fails its page, and the login page is not reviewed in its place', async () => {
  const site = await siteWithLogin();
  const w = await newWorkspace();
  const first = await run(w, { agentId: 'lorem-ipsum', url: `${site.url}/account`, auth: byForm });
  expect(first.execution.status).toBe('failed');
  const cookies = [{ name: 'session', value: site.sessions[0] }];
  const request = { agentId: 'lorem-ipsum', url: `${site.url}/account`, auth: { cookies } };
  expect((await run(w, request)).execution.status).toBe('failed');
  const executionId = await start(w, request);
  // The check at the start is answered, and the page itself is not.
  site.endsAt.set('/account', 1);
  const ended = await work(w, executionId);
  expect(ended.execution).toMatchObject({ status: 'error', error: { code: 'SIGNED_OUT' } });
  expect(ended.execution.error.message).toContain('/login');
  expect(ended.results.flatMap(({ findings }: Any) => findings)).toEqual([]);
  const late = await run(w, request);
  expect(late.execution).toMatchObject({ status: 'error', error: { code: 'SIGNED_OUT' } });
  expect(late.execution.error.message).toContain('The credentials do not sign in.');
});

test('a failing step ends the run with its name, the page, and a picture, but without secrets', async () => {
  const site = await siteWithLogin();
  const w = await newWorkspace();
  const wrong = { steps, secrets: { password: `${SECRETS.password}-wrong` } };
  const refused = await run(w, { agentId: 'lorem-ipsum', url: `${site.url}/account`, auth: wrong });
  expect(refused.execution).toMatchObject({ status: 'error', error: { code: 'SIGN_IN_FAILED' } });
  expect(refused.execution.error.message).toMatch(
    /^Signing in failed at step 5 \(waitFor \/account\): the site shows the login form again\. The page was “Sign in” at http:\/\/127\.0\.0\.1:\d+\/login\.$/,
  );
  expect(refused.artifacts).toMatchObject([{ name: 'sign-in-failed.png', mimeType: 'image/png' }]);
  const { deps } = await testApp();
  const full = { ...deps, outside: { ...deps.outside, blobs: openBlobStore('file:///dev/null/full') } };
  const executionId = await start(w, { agentId: 'lorem-ipsum', url: `${site.url}/account`, auth: wrong });
  const ref = { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, executionId };
  await runExecution(ref, full, new AbortController().signal);
  const unpictured = await w.must('/v2/agents/execution/get', { executionId, includeLog: true });
  expect(unpictured.execution.error).toMatchObject({ code: 'SIGN_IN_FAILED' });
  expect(messages(unpictured)).toContainEqual(
    expect.stringContaining('picture of the page could not be kept'),
  );
  const elsewhere = { steps: [{ goto: `${site.third.url}/login` }, ...steps] };
  const foreign = await run(w, {
    agentId: 'lorem-ipsum',
    url: `${site.url}/account`,
    auth: { ...byForm, ...elsewhere },
  });
  expect(foreign.execution.error.message).toContain('none of the origins of auth');
  expect(site.third.requests).toEqual([]);
  expect(JSON.stringify([refused, foreign])).not.toContain('sesame-');
  expect(await secretsInDatabase()).toEqual([]);
});

test('the credentials of an agent are shown by name, kept by a change, and replaced by those of a run', async () => {
  const site = await siteWithLogin();
  const w = await newWorkspace();
  const agent = {
    name: 'Behind a login',
    contextGathering: { strategies: ['web-page-links'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
  };
  const auth = {
    headers: { 'X-Staging': SECRETS.header, 'X-Key': 'Bearer {{secrets.key}}' },
    cookies: [{ name: 'session', value: 'sesame-cookie-2291', path: '/' }],
    steps: [{ goto: '/login' }, { fill: '#password', value: 'sesame-fill-7718' }, { click: 'button' }],
    secrets: { key: 'sesame-key-6034' },
    storageState: {
      cookies: [],
      origins: [{ origin: site.url, localStorage: [{ name: 't', value: 'sesame-local-0000000' }] }],
    },
  };
  const { agentId } = await w.must('/v2/agents/create', { ...agent, auth });
  const shown = {
    headers: { 'X-Staging': '__redacted__', 'X-Key': 'Bearer {{secrets.key}}' },
    cookies: [{ name: 'session', value: '__redacted__', path: '/' }],
    steps: [{ goto: '/login' }, { fill: '#password', value: '__redacted__' }, { click: 'button' }],
    secrets: { key: '__redacted__' },
    storageState: '__redacted__',
  };
  const get = () => w.must('/v2/agents/get', { agentId });
  expect((await get()).agent.auth).toEqual(shown);

  // What was redacted comes back, in another order, and the steps are taken out.
  const { steps: _, ...kept } = shown;
  await w.must('/v2/agents/version/update', { agentId, auth: { ...kept, origins: [site.url] } });
  await w.must('/v2/agents/version/update', { agentId, scope: { pageScope: ['**'] } });
  expect((await get()).agent.auth).toEqual({ ...kept, origins: [site.url] });
  const ofAgent = await run(w, { agentId, url: `${site.url}/staging` });
  expect(ofAgent.execution.status).toBe('failed');
  expect(ofAgent.execution.config.auth).toEqual({
    origins: [site.url],
    headers: ['X-Key', 'X-Staging'],
    cookies: ['session'],
    storageState: true,
    secrets: ['key'],
  });
  const ofRun = await run(w, {
    agentId,
    url: `${site.url}/staging`,
    auth: { headers: { 'x-other': 'sesame-other-1180' } },
  });
  expect(ofRun.execution).toMatchObject({ status: 'error', error: { code: 'SIGNED_OUT' } });
  expect(ofRun.execution.config.auth).toEqual({ headers: ['x-other'] });

  await w.must('/v2/agents/version/update', { agentId, auth: null });
  const last = await get();
  expect(last.agent).not.toHaveProperty('auth');
  const versions = await w.must('/v2/agents/versions/list', { agentId });
  expect(JSON.stringify([last, versions, ofAgent, ofRun])).not.toContain('sesame-');
  expect(await secretsInDatabase()).toEqual([]);
});

test('every problem of the credentials is named at once', async () => {
  const w = await newWorkspace();
  const auth = {
    token: 'x',
    origins: ['https://example.com/path'],
    headers: {
      'bad name': 'x',
      Host: 'y',
      'x-a': 'line\nbreak',
      'x-b': '{{variables.x}}',
      'x-c': '{{secrets.no}}',
    },
    cookies: [{ name: 'a', value: '__redacted__' }],
    steps: [{ goto: 'ftp://x' }, { fill: '#a' }, { click: 'a', waitFor: 'b' }, { press: 'Enter' }],
    signedOut: {},
  };
  const { body } = await w.post('/v2/agents/execution/run', {
    agentId: 'lorem-ipsum',
    url: 'https://example.com/',
    auth,
  });
  const text = body.error.message;
  expect(body.error.status).toBe('INVALID_ARGUMENT');
  for (const place of [
    'auth.token',
    'auth.origins[0]',
    'bad name',
    'auth.headers.Host',
    'auth.headers.x-a',
    'auth.headers.x-b',
    'auth.headers.x-c',
    'auth.cookies[0].value',
    'auth.steps[0].goto',
    'auth.steps[1].value',
    'auth.steps[2]',
    'auth.steps[3]',
    'auth.signedOut',
  ])
    expect(text).toContain(place);
});

test('the agents of a review share one session, and one with other credentials has its own', async () => {
  const site = await siteWithLogin();
  const w = await newWorkspace();
  const { deps } = await testApp();
  const { agentId } = await w.must('/v2/agents/create', {
    name: 'With a cookie of its own',
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
    auth: { cookies: [{ name: 'session', value: 'sesame-stale-4471' }] },
  });
  const review = async (request: object) => {
    const { reviewId } = await w.must('/v2/reviews/run', { urls: [`${site.url}/account`], ...request });
    const ref = { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, reviewId };
    await runReview(ref, deps, new AbortController().signal);
    return (await w.must('/v2/reviews/get', { reviewId })).review;
  };
  const agents = ['lorem-ipsum', 'broken-links', agentId];
  const signedIn = await review({ agents, auth: byForm });
  expect(signedIn.executions.map(({ status }: Any) => status)).toEqual(['failed', 'passed', 'passed']);
  expect(site.sessions).toHaveLength(1);
  const own = await review({ agents: [agentId, 'lorem-ipsum'] });
  expect(own.executions[0]).toMatchObject({ status: 'error', error: { code: 'SIGNED_OUT' } });
  // Without credentials, the login page that the address leads to is what there is to review.
  expect(own.executions[1].status).toBe('failed');
  expectNothingAt(site);
  expect(JSON.stringify([signedIn, own])).not.toContain('sesame-');
  expect(await secretsInDatabase()).toEqual([]);
});

test('the credentials of a run are there for the process that continues it, and erased when it is cancelled', async () => {
  const site = await siteWithLogin();
  const w = await newWorkspace();
  const { deps } = await testApp();
  const request = { agentId: 'lorem-ipsum', url: `${site.url}/account`, auth: byForm };
  const [continued, cancelled] = [await start(w, request), await start(w, request)];
  const withCredentials = async () => {
    const seen: string[] = [];
    await resealRuns(deps.db, (_auth, { executionId }) => {
      if ([continued, cancelled].includes(executionId)) seen.push(executionId);
      return undefined;
    });
    return seen.sort();
  };
  const stop = new AbortController();
  const stopped = work(w, continued, stop.signal);
  await until(() => site.sessions.length === 1);
  stop.abort();
  expect((await stopped).execution.status).toBe('running');
  expect(await withCredentials()).toEqual([continued, cancelled].sort());
  await w.must('/v2/agents/execution/cancel', { executionId: cancelled });
  expect(await withCredentials()).toEqual([continued]);
  const ended = await work(w, continued);
  expect(ended.execution.status).toBe('failed');
  expect(site.sessions).toHaveLength(2);
  expect(await withCredentials()).toEqual([]);
  const { rows } = await sql`select 1 from executions where request #> '{auth,sealed}' is not null
    and execution_id in (${continued}, ${cancelled})`.execute(deps.db);
  expect(rows).toEqual([]);
  expect(JSON.stringify(ended)).not.toContain('sesame-');
});

test('without credentials, the report names the login page that was reviewed in place of a page', async () => {
  const site = await siteWithLogin();
  const w = await newWorkspace();
  const { app } = await testApp();
  for (const [agentId, crossPageExecute] of [
    ['lorem-ipsum', false],
    ['lorem-ipsum', true],
    ['broken-links', false],
  ] as const) {
    const executionId = await start(w, { agentId, url: `${site.url}/account`, crossPageExecute });
    const leads = `${site.url}/account leads to the login page ${site.url}/login`;
    expect(messages(await work(w, executionId))).toContain(`${leads}, which is reviewed in its place.`);
    const url = `/v2/agents/execution/${executionId}/report`;
    const headers = { 'x-service-api-key': w.apiKeyId, 'x-service-auth-token': w.token };
    const report = (await app.inject({ url, headers })).json();
    expect(report.notes).toEqual([`${leads}, which was reviewed instead. With auth, the review signs in.`]);
  }
});

/** A review waits for requests, and not for databases, so one request ends once the database has answered. */
const KEEPS_SESSION_IN_DATABASE = `<title>Desk</title><h1>Desk</h1><p id="text">Sign in</p><script>
  fetch('/session');
  const open = indexedDB.open('auth', 1);
  open.onupgradeneeded = () => open.result.createObjectStore('users', { keyPath: 'name' });
  open.onsuccess = () => {
    const get = open.result.transaction('users').objectStore('users').get('editor');
    get.onsuccess = () => {
      if (get.result) document.getElementById('text').textContent = get.result.token + ' Lorem ipsum dolor sit amet';
      fetch('/database-read');
    };
  };
</script>`;

test('a saved session in a database of the browser signs in', async () => {
  const session = { status: 204, after: '/database-read' };
  const site = await siteOf({ '/desk': KEEPS_SESSION_IN_DATABASE, '/session': session });
  const w = await newWorkspace();
  const users = {
    name: 'users',
    autoIncrement: false,
    keyPath: 'name',
    records: [{ value: { name: 'editor', token: 'sesame-database-4470' } }],
    indexes: [],
  };
  const origins = [
    { origin: site.url, localStorage: [], indexedDB: [{ name: 'auth', version: 1, stores: [users] }] },
  ];
  const request = { agentId: 'lorem-ipsum', url: `${site.url}/desk` };
  expect((await run(w, request)).execution.status).toBe('passed');
  const signedIn = await run(w, { ...request, auth: { storageState: { cookies: [], origins } } });
  expect(signedIn.execution.status).toBe('failed');
  expect(JSON.stringify(signedIn)).not.toContain('sesame-');
  expect(await secretsInDatabase()).toEqual([]);
});
