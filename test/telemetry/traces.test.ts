import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { newWorkspace, send } from '../service/harness.ts';
import { traced } from './traced.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

test.each(['http/protobuf', 'http/json'])('a request and its statements arrive over %s', async (protocol) => {
  const workspace = await newWorkspace();
  const collector = await traced({
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
    OTEL_SERVICE_NAME: 'reviews',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.name=other',
  });
  const secret = 'a-name-that-no-span-has';
  const organizations = [{ organizationId: secret, organizationName: secret }];
  const path = '/v2/organizations/add?token=also-secret';
  const headers = { ...workspace.keyHeaders, traceparent: `00-${TRACE}-${CALLER}-01` };
  expect(await send(path, { data: { organizations } }, headers)).toMatchObject({ status: 200 });
  await collector.flush();

  const [request] = collector.spans.filter(({ kind }) => kind === 2);
  expect(request).toMatchObject({
    name: 'POST /v2/organizations/add',
    traceId: TRACE,
    parentSpanId: CALLER,
    isError: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v2/organizations/add',
      'http.response.status_code': 200,
      'redpen.api_key.id': workspace.apiKeyId,
    },
    resource: {
      'service.name': 'reviews',
      'telemetry.sdk.language': 'nodejs',
      'deployment.environment.name': 'staging',
    },
  });
  const transaction = collector.spans.find(({ name }) => name === 'transaction');
  expect(transaction).toMatchObject({ traceId: TRACE, parentSpanId: request?.spanId });
  const insert = collector.spans.find(({ name }) => name === 'INSERT organizations');
  expect(insert).toMatchObject({
    kind: 3,
    traceId: TRACE,
    parentSpanId: transaction?.spanId,
    attributes: {
      'db.system.name': 'postgresql',
      'db.collection.name': 'organizations',
      'db.query.text': expect.stringMatching(/^insert into organizations .*\$1/),
    },
  });
  const everything = JSON.stringify(collector.spans);
  for (const value of [secret, 'also-secret', workspace.authToken]) expect(everything).not.toContain(value);
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'x-team': 'a b', 'content-encoding': 'gzip' },
  });
});

test('the sampler of the settings and the decision of the caller determine what is recorded', async () => {
  const workspace = await newWorkspace();
  const collector = await traced({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
  const ask = (traceparent?: string) =>
    send(
      '/v2/organizations/get',
      { data: {} },
      { ...workspace.keyHeaders, ...(traceparent && { traceparent }) },
    );
  await ask();
  await ask(`00-${'a'.repeat(32)}-${CALLER}-00`);
  await ask('00-not-a-traceparent');
  await ask(`00-${TRACE}-${CALLER}-01`);
  await collector.flush();
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
});

test('without a collector, nothing of OpenTelemetry is loaded but the API, which prom-client loads', async () => {
  const source = (file: string) => JSON.stringify(join(import.meta.dirname, '../../src', file));
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        loaded.add(found.url);
        return found;
      },
    });
    await import(${source('boot.ts')});
    await import(${source('roles/start.ts')});
    const urls = [...loaded].filter((url) => /@opentelemetry\\/(?!api\\/)/.test(url));
    console.log(JSON.stringify({ count: loaded.size, urls }));`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, NODE_COMPILE_CACHE },
  });
  const { count, urls } = JSON.parse((await run).stdout);
  expect(count).toBeGreaterThan(500);
  expect(urls).toEqual([]);
});
