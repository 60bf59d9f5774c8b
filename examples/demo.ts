// The first steps of a new user of Redpen, over HTTP only: a workspace, a document, agents that review a site, and their
// findings. `npm run demo` runs it on the sample site.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printTable, say, startProgress } from './demo-output.ts';
import { type DemoServer, startServer } from './demo-server.ts';
import { startSite } from './site-server.ts';

const OUTPUT = resolve(import.meta.dirname, '../data/demo');
const PROGRESS_WITHIN_MS = 180_000;
const POLL_EVERY_MS = 300;

/** Agents that need no language model. */
const REVIEWERS = [
  { agentId: 'broken-links', looksFor: 'links, pictures and scripts that fail' },
  { agentId: 'accessibility-checker', looksFor: 'what keeps people with disabilities out' },
  { agentId: 'spell-check', looksFor: 'misspelled words' },
];

interface Finding {
  title: string;
  severity: string;
  issueType: string;
  sourceUrl: string;
  /** Target of the broken link. */
  url?: string;
  targetText?: string;
  htmlSelector?: string;
}
interface ResultRow {
  url: string;
  findings?: Finding[];
  agentResult?: { findings?: Finding[] };
}
interface Execution {
  status: string;
  resultsSummary?: { urlsProcessed?: number; totalFindings?: number; summary?: string | null };
  error?: { code: string; message: string };
}
type Headers = Record<string, string>;

/** The statuses of a run in words: "failed" means that there are findings. */
const OUTCOMES: Record<string, string> = {
  passed: 'done',
  failed: 'done, with findings',
  partial: 'done, but for some pages',
};

/** Calls the API with `data` and returns `result.data`. Throws the error message of the server. */
const createClient =
  (server: DemoServer) =>
  async <T>(path: string, data: object, headers: Headers = {}): Promise<T> => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ data }),
      signal: AbortSignal.timeout(30_000),
    }).catch(({ message, cause }: Error) => {
      throw new Error(`${path} got no answer: ${cause instanceof Error ? cause.message : message}.`);
    });
    const { result, error } = (await answer.json()) as {
      result?: { data: T };
      error?: { status: string; message: string };
    };
    if (!result)
      throw new Error(`${path} answered ${error?.status ?? answer.status}: ${error?.message ?? ''}`);
    return result.data;
  };
type Client = ReturnType<typeof createClient>;

/** Creates a workspace and returns the headers for all further calls. */
async function openWorkspace(call: Client): Promise<Headers> {
  const workspace = await call<{ id: string; authToken: string; apiKeyList: Record<string, unknown> }>(
    '/v2/workspace/create',
    { ownerEmail: 'ines@saltmarsh-kayaks.example', name: 'Ines', workspaceName: 'Saltmarsh Kayaks' },
  );
  const [apiKey] = Object.keys(workspace.apiKeyList);
  if (!apiKey) throw new Error('The new workspace has no API key.');
  const { authTokens } = await call<{ authTokens: { token: string }[] }>(
    '/v2/workspace/authtokens/get',
    { apiKey },
    { 'x-service-workspace-id': workspace.id, 'x-service-workspace-auth-token': workspace.authToken },
  );
  const token = authTokens[0]?.token;
  if (!token) throw new Error(`The API key ${apiKey} has no auth token.`);
  say(`Created the workspace ${workspace.id} with the API key ${apiKey}.`);
  return { 'x-service-api-key': apiKey, 'x-service-auth-token': token };
}

const startRun = (call: Client, headers: Headers, run: { agentId: string } & Record<string, unknown>) =>
  call<{ executionId: string }>('/v2/agents/execution/run', run, headers);

/** Follows a run until it ends. Fails if it makes no progress for a while. */
async function followRun(call: Client, headers: Headers, executionId: string) {
  const progress = startProgress();
  let shown = '';
  let end = Date.now() + PROGRESS_WITHIN_MS;
  try {
    while (Date.now() < end) {
      const { execution, results = [] } = await call<{ execution: Execution; results?: ResultRow[] }>(
        '/v2/agents/execution/get',
        { executionId, includeResults: true },
        headers,
      );
      const { urlsProcessed = results.length, totalFindings = 0 } = execution.resultsSummary ?? {};
      const line = `${OUTCOMES[execution.status] ?? execution.status}: ${count(urlsProcessed, 'page')}, ${count(totalFindings, 'finding')}`;
      progress.show(line);
      if (line !== shown) end = Date.now() + PROGRESS_WITHIN_MS;
      shown = line;
      if (execution.status !== 'running') {
        if (execution.status === 'error') {
          const { code, message } = execution.error ?? { code: 'error', message: 'no reason was given' };
          throw new Error(`The run ${executionId} failed with ${code}: ${message}`);
        }
        return { execution, results };
      }
      await sleep(POLL_EVERY_MS);
    }
  } finally {
    progress.end();
  }
  throw new Error(`The run ${executionId} made no progress within ${PROGRESS_WITHIN_MS / 1_000} s.`);
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

const pathOf = (address: string, site: string) =>
  address.startsWith(site) ? address.slice(site.length) || '/' : address;

/** Finds the id of a stored file anywhere in a result. */
function findArtifactId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('artifactId' in value && typeof value.artifactId === 'string') return value.artifactId;
  for (const inner of Object.values(value)) {
    const found = findArtifactId(inner);
    if (found) return found;
  }
  return undefined;
}

async function saveScreenshot(server: DemoServer, headers: Headers, artifactId: string): Promise<string> {
  const answer = await fetch(`${server.url}/v2/blobs/${artifactId}`, {
    headers,
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`The screenshot could not be downloaded: HTTP ${answer.status}.`);
  // The service closes its data folder to other users, and warns about entries that are open.
  await mkdir(OUTPUT, { recursive: true, mode: 0o700 });
  const file = join(OUTPUT, 'screenshot.png');
  await writeFile(file, new Uint8Array(await answer.arrayBuffer()), { mode: 0o600 });
  return relative(process.cwd(), file);
}

const place = { organizationId: 'saltmarsh', documentId: 'website' };

/** Reviews the site, and returns the headers with which its results can be read. */
async function review(server: DemoServer, site: string): Promise<Headers> {
  const call = createClient(server);
  const headers = await openWorkspace(call);

  await call(
    '/v2/organizations/documents/add',
    {
      organizationId: place.organizationId,
      createOrganization: true,
      documents: [{ documentId: place.documentId, documentName: 'Our website' }],
    },
    headers,
  );
  say(`Created the document ${place.documentId}.\n`);

  // All start at once, because they share the browser; then each is followed in turn.
  const run = { ...place, url: `${site}/`, maxUrlsToProcess: 20 };
  const runs = await Promise.all(
    REVIEWERS.map(({ agentId }) => startRun(call, headers, { ...run, agentId, crossPageExecute: true })),
  );
  const picture = await startRun(call, headers, { ...run, agentId: 'screenshot', crossPageExecute: false });
  const findings: Finding[] = [];
  for (const [index, { agentId, looksFor }] of REVIEWERS.entries()) {
    say(`${agentId} reviews ${site}/ and the pages of the site for ${looksFor}:`);
    const { results } = await followRun(call, headers, runs[index]!.executionId);
    findings.push(...results.flatMap((row) => row.findings ?? row.agentResult?.findings ?? []));
  }
  printTable(
    findings.map(({ severity, sourceUrl, issueType, url, targetText, htmlSelector }) => ({
      severity,
      page: pathOf(sourceUrl, site),
      issue: issueType,
      place: url ? pathOf(url, site) : targetText || htmlSelector || '',
    })),
  );
  const annotations = await call<unknown[]>('/v2/commentannotations/get', place, headers);
  say(
    `${count(findings.length, 'finding')}; the document now has ${count(annotations.length, 'suggestion')}.\n`,
  );
  if (findings.length === 0) throw new Error('The sample site has faults, and the review found none.');

  say('A screenshot of the first page:');
  const artifactId = findArtifactId(await followRun(call, headers, picture.executionId));
  if (!artifactId) throw new Error('The screenshot run stored no picture.');
  say(`Saved it as ${await saveScreenshot(server, headers, artifactId)}.\n`);
  return headers;
}

/** Prints suggestions for the time while the demo keeps running. */
function showWhatIsUp(server: DemoServer, headers: Headers): void {
  say('Redpen keeps running so that you can try it. Ctrl-C stops it and removes its data.\n');
  say(`  every operation, to try out   ${server.url}/docs`);
  say(`  API key, to authorize there   ${headers['x-service-api-key']}`);
  say(`  auth token                    ${headers['x-service-auth-token']}\n`);
  say('In another terminal, in this folder:\n');
  say('  . examples/shell.sh');
  say(
    `  export REDPEN_URL=${server.url} REDPEN_API_KEY=${headers['x-service-api-key']} REDPEN_AUTH_TOKEN=${headers['x-service-auth-token']}`,
  );
  say(`  call /v2/commentannotations/get '${JSON.stringify(place)}'\n`);
}

async function main(): Promise<void> {
  const site = await startSite();
  const host = new URL(site.url).host;
  const interrupted = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => reject(new Error(`Stopped by ${signal}.`)));
  });
  say(`The sample site is at ${site.url}/.`);
  say('Starting Redpen on a temporary data folder. Agents cannot visit internal addresses unless the');
  say(`operator allows it, so it starts with REDPEN_ALLOW_HOSTS=${host}.`);
  const starting = startServer({ REDPEN_ALLOW_HOSTS: host });
  try {
    const server = await Promise.race([starting, interrupted]);
    say(`Redpen is at ${server.url}.`);
    const headers = await Promise.race([review(server, site.url), server.died, interrupted]).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n\nThe last lines of the server's log:\n${server.log()}`);
      },
    );
    // On a terminal, a person can use it.
    if (process.stdin.isTTY && process.stdout.isTTY) {
      showWhatIsUp(server, headers);
      await Promise.race([server.died, interrupted.catch(() => {})]);
      say('');
    }
    say('Stopping the server and the site. To continue on your own, run npm start and follow the README.');
  } finally {
    await starting.then(
      (server) => server.stop(),
      () => {},
    );
    await site.close();
  }
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(`\nThe demo failed. ${error.message}`);
    process.exit(1);
  },
);
