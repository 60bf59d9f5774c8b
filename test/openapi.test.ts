import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventsOf } from '../src/api/events.ts';
import { files } from '../src/api/files.ts';
import { endpoints, routes } from '../src/api/index.ts';
import { addDocs } from '../src/http/docs-site/site.ts';
import { read } from '../src/http/endpoint.ts';
import { buildOpenApi } from '../src/http/openapi/openapi.ts';
import { createServer } from '../src/http/server/server.ts';
import { addStreamRoute } from '../src/http/server/stream-routes.ts';
import { version } from '../src/lib/version.ts';
import { createFeed } from '../src/realtime/feed/feed.ts';
import { testApp } from './service/harness.ts';

interface Document {
  openapi: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read every part.
  paths: Record<string, Record<string, any>>;
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  components: { schemas: Record<string, any>; responses: Record<string, any> };
}

const document = buildOpenApi(routes) as unknown as Document;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

async function lint(described: object): Promise<{ message: string; ruleId: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-openapi-'));
  try {
    const path = join(folder, 'openapi.json');
    writeFileSync(path, JSON.stringify(described));
    const cli = resolve(import.meta.dirname, '../node_modules/@redocly/cli/bin/cli.js');
    // The probes have no input that could be wrong, and so no 4xx response.
    const args = [
      cli,
      'lint',
      path,
      '--format=json',
      '--skip-rule=operation-4xx-response',
      '--max-problems=1000',
    ];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: folder,
      env,
      maxBuffer: 2 ** 26,
    }).catch((failed: { stdout: string }) => failed);
    return JSON.parse(stdout.slice(stdout.indexOf('{'))).problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the document is valid OpenAPI, without any warning', async () => {
  const found = await lint(document);
  // Servers match the word before the parameter, so that an execution with the id `files` has no report.
  const expected = '`/v2/agents/execution/{id}/report` and `/v2/agents/execution/files/{id}`';
  const isExpected = ({ message }: { message: string }) => message.includes(expected);
  expect(found.filter(isExpected)).toHaveLength(1);
  expect(found.filter((one) => !isExpected(one))).toEqual([]);
});

test('the document says where editors connect, although that is not an operation', () => {
  const { tags } = document as unknown as { tags: { name: string; description: string }[] };
  expect(tags.find(({ name }) => name === 'crdt')!.description).toContain('`/v2/realtime`');
});

/** Paths with their methods, from a printed tree that nests longer paths under shorter ones. */
function routesOf(printed: string): string[] {
  const above: string[] = [];
  return printed.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^(.*?)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    if (part === '') return [];
    const depth = indent.length / 4;
    above.splice(depth, above.length, part);
    return methods
      .split(', ')
      .filter((method) => !['', 'OPTIONS', 'HEAD'].includes(method))
      .map((method) => `${above.join('')} (${method})`);
  });
}

test('the document describes exactly the routes of the server', async () => {
  const { deps, authenticator } = await testApp();
  const probes = { readiness: async () => ({ faults: [], warnings: [] }) };
  const app = await createServer({ deps, endpoints, files, probes, authenticator });
  addStreamRoute(app, deps, eventsOf(createFeed(deps)));
  await app.ready();
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${path.replaceAll(/\{(\w+)\}/g, ':$1')} (${method.toUpperCase()})`),
  );
  const served = routesOf(app.printRoutes({ commonPrefix: false }));
  await app.close();
  expect(described.sort()).toEqual([...served, '/openapi.json (GET)', '/ (GET)'].sort());
});

test('every operation has a unique id, a summary, a description and its errors', () => {
  const ids = operations.map((operation) => operation.operationId);
  expect(ids).toEqual([...new Set(ids)]);
  expect(operations.filter((operation) => !operation.summary)).toEqual([]);
  const undescribed = operations.filter((operation) => !operation.description);
  expect(undescribed.map(({ operationId }) => operationId)).toEqual([]);
  const posts = Object.values(document.paths).flatMap(({ post }) => (post ? [post] : []));
  expect(posts.filter(({ responses }) => !responses['400'] || !responses['500'])).toEqual([]);
  expect(posts.filter(({ security, responses }) => security.length > 0 && !responses['401'])).toEqual([]);
});

test('the fields of an operation that counts do not say what it returns', () => {
  const requests = Object.entries(document.components.schemas).filter(([name]) =>
    /Count(Get)?Request$/.test(name),
  );
  expect(requests.length).toBeGreaterThan(3);
  const texts = requests.flatMap(([name, { properties }]) =>
    Object.entries<{ description?: string }>(properties)
      .filter(([, { description = '' }]) => /\breturns\b/i.test(description))
      .map(([field, { description }]) => `${name}.${field}: ${description}`),
  );
  expect(texts).toEqual([]);
});

test('an operation under an earlier path has a separate tag, and points to the later one', () => {
  const { tags } = document as unknown as { tags: { name: string }[] };
  expect(tags.at(-1)!.name).toBe('v1');
  const earlier = Object.entries(document.paths).filter(([, { post }]) => post?.tags.includes('v1'));
  expect(earlier.length).toBeGreaterThan(0);
  for (const [path, { post }] of earlier) {
    const later = path.replace('/v1/', '/v2/');
    expect(document.paths[later]).toBeDefined();
    expect(post!.description).toContain(`\`${later}\``);
    expect(post!.operationId).toMatch(/V1$/);
  }
  const others = Object.entries(document.paths).filter(
    ([path, { post }]) => post && !post.tags.includes('v1') && path.startsWith('/v1/'),
  );
  for (const [path] of others) expect(document.paths[path.replace('/v1/', '/v2/')]).toBeUndefined();
});

test('every error response has an example with its own status', () => {
  const answers = operations
    .filter(({ tags }) => !tags.includes('service'))
    .flatMap(({ operationId, security, responses }) =>
      Object.entries(responses as Document['paths'][string])
        .filter(([code]) => /^[45]/.test(code))
        .map(([code, response]) => {
          const { $ref } = response;
          const { description, content } = $ref
            ? document.components.responses[$ref.split('/').at(-1)]
            : response;
          return { operationId, security, code, description, content };
        }),
    );
  for (const { operationId, security, code, description, content } of answers) {
    const { schema, example, examples } = content['application/json'];
    expect(schema).toEqual({ $ref: '#/components/schemas/Failure' });
    const shown = Object.values((examples ?? { only: { value: example } }) as Document['paths'][string]);
    const values = shown.map(({ value }) => value);
    const named = [...description.matchAll(/^`([A-Z_]+)`: /gm)].map(([, status]) => status);
    expect([operationId, code, values.map(({ error }) => error.status)]).toEqual([
      operationId,
      code,
      [...new Set(named)],
    ]);
    const { details } = values[0].error;
    if (code === '401' && security.length > 0) expect(details.hint).toMatch(/^This operation takes /);
    else if (code !== '400') expect(details).toBeUndefined();
  }
});

test('no pattern exists only to exclude __proto__, since examples are generated from patterns', () => {
  expect(JSON.stringify(document)).not.toContain('__proto__');
});

test('every operation with a request has an example of it', () => {
  const posts = Object.entries(document.paths).flatMap(([path, { post }]) => (post ? [{ path, post }] : []));
  const without = posts.filter(({ post }) => !post.requestBody.content['application/json'].example?.data);
  expect(without.map(({ path }) => path)).toEqual([]);
});

test('recursive schemas move to the components of OpenAPI', async () => {
  interface Tree {
    name: string;
    children: Tree[];
  }
  const tree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.lazy(() => z.array(tree)) });
  const endpoint = read({
    path: '/v2/trees/get',
    auth: 'apiKey',
    summary: 'Get a tree.',
    data: z.object({ like: tree, any: z.json() }),
    result: tree,
    message: 'Here it is.',
    handle: async ({ like }) => like,
  });
  const described = buildOpenApi({ endpoints: [endpoint], files: [], streams: [] }) as unknown as Document;
  expect(JSON.stringify(described)).not.toMatch(/#\/\$defs|"\$ref":"#"/);
  const unused = (await lint(described)).filter(({ ruleId }) => ruleId !== 'no-unused-components');
  expect(unused).toEqual([]);
});

test('the reference loads only its own files', async () => {
  const { deps, authenticator } = await testApp();
  const probes = { readiness: async () => ({ faults: [], warnings: [] }) };
  const app = await createServer({ deps, endpoints, files, probes, authenticator });
  await addDocs(app, routes);
  const page = await app.inject('/docs');
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.body).not.toMatch(/https?:\/\//);
  const root = await app.inject({
    url: '/',
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  // Relative, for a proxy that serves the service under a path.
  expect([root.statusCode, root.headers.location]).toEqual([302, 'docs']);
  const index = await app.inject({ url: '/', headers: { accept: '*/*' } });
  const { data } = index.json().result;
  expect([index.statusCode, data]).toEqual([
    200,
    { version, reference: 'docs', openapi: 'openapi.json', health: 'health' },
  ]);
  for (const path of [data.reference, data.openapi, data.health]) {
    expect((await app.inject(`/${path}`)).statusCode).toBe(200);
  }
  const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
  for (const link of links) expect((await app.inject(`/${link}`)).statusCode).toBe(200);
  expect(links).toContain('docs/reference.js');
  expect(links).toContain('docs/guides/getting-started');
  const guide = await app.inject('/docs/guides/review-agents');
  expect(guide.headers['content-security-policy']).toBe(page.headers['content-security-policy']);
  expect(guide.body).toContain('<h1 id="review-agents">');
  const text = await app.inject('/llms.txt');
  const targets = [...text.body.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
  expect(targets).toContain('docs/guides/review-agents.md');
  for (const target of targets)
    expect([target, (await app.inject(`/${target}`)).statusCode]).toEqual([target, 200]);
  const everything = await app.inject('/llms-full.txt');
  expect(everything.body).toContain('\n# Review agents\n');
  expect(everything.body).toContain('### POST /v2/agents/execution/run\n');
  const whole = await app.inject('/openapi.json');
  expect(whole.json().openapi).toBe('3.1.0');
  const gzipped = await app.inject({ url: '/openapi.json', headers: { 'accept-encoding': 'br, gzip' } });
  expect(gunzipSync(gzipped.rawPayload).toString()).toBe(whole.body);
  const refusing = await app.inject({ url: '/openapi.json', headers: { 'accept-encoding': 'gzip;q=0' } });
  expect(refusing.body).toBe(whole.body);
  const known = { 'if-none-match': String(whole.headers.etag) };
  expect(await app.inject({ url: '/openapi.json', headers: known })).toMatchObject({
    statusCode: 304,
    body: '',
  });
  // The document is a megabyte, so requests for it are limited.
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 1_000) {
    statuses.push((await app.inject({ url: '/openapi.json', headers: known })).statusCode);
  }
  expect(statuses.at(-1)).toBe(429);
  await app.close();
});
