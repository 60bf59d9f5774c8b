import { expect, test } from 'vitest';
import {
  type Document,
  type Operation,
  readOperations,
  UNNAMED,
} from '../../packages/client/generate/operations.ts';
import { printTypes, type Schema } from '../../packages/client/generate/print-schemas.ts';
import { createClient } from '../../packages/client/src/index.ts';
import { NAMES } from '../../packages/client/src/names.ts';
import { routes } from '../../src/api/index.ts';
import { buildOpenApi } from '../../src/http/openapi/openapi.ts';
import { distinct } from '../every-operation/operations.ts';
import { runAndRestore, sharedStage, validBody } from '../every-operation/validate.ts';
import { credentialsOf, serviceUrl } from './client-stage.ts';

const document = buildOpenApi(routes) as unknown as Document;
const printer = printTypes(document.components.schemas);
const operations = readOperations(document, printer).filter(
  ({ path }) => path.startsWith('/v2/') && !UNNAMED.test(path),
);

interface Method {
  (data: unknown, options?: object): Promise<unknown>;
  page(data: object, options?: object): Promise<{ items: unknown[]; next: string | undefined }>;
  iterate(data: object): AsyncIterable<unknown>;
}

/** Each name of the table with its path. */
const named = NAMES.split('\n').flatMap((line) => {
  const [group = '', folder, ...members] = line.split(' ');
  return members.map((member) => {
    const [name = '', rest = name] = member.replace(/\[.*/, '').split('=');
    return { group, method: name.replace(/\/.*/, ''), path: `/v2/${folder || group}/${rest}` };
  });
});

/** The method of an operation, and the paths that were called through it. */
async function methodOf(path: string): Promise<{ method: Method; called: string[] }> {
  const { workspace } = (await sharedStage()).a;
  const called: string[] = [];
  const redpen = createClient({
    baseUrl: await serviceUrl(),
    ...credentialsOf(workspace),
    async fetch(input, init) {
      called.push(new URL(String(input)).pathname);
      return await fetch(input, init);
    },
  }) as unknown as Record<string, Record<string, Method>>;
  const { group, method } = named.find((one) => one.path === path)!;
  return { method: redpen[group]![method]!, called };
}

test('every operation of version 2 has one name, in camel case', () => {
  expect(named.map(({ path }) => path).sort()).toEqual(operations.map(({ path }) => path).sort());
  const names = named.map(({ group, method }) => `${group}.${method}`);
  expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)*\.[a-z]+([A-Z][a-z]+)*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test.each(operations)('the client reaches $path', async ({ path }) => {
  const { method, called } = await methodOf(path);
  // A key that another request has used keeps the operation from changing anything.
  const options = { safe: true, idempotencyKey: 'reached' };
  const [answer] = await runAndRestore(await sharedStage(), () =>
    // A review is no value of its own if it fails.
    method({ unheardOf: true }, options).catch((error: unknown) => ({ ok: false, error })),
  );
  expect(answer).toHaveProperty('ok');
  expect(called).toEqual([path]);
});

const lists = operations.filter(({ list }) => list !== undefined);
const fieldsOf = ({ data }: Operation): string[] => fieldsWithin(data);
const fieldsWithin = (schema: Schema): string[] => {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = printer.resolve(schema);
  return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(fieldsWithin)];
};
const PAGING = ['pageSize', 'pageToken', 'limit', 'iterator', 'after', 'waitMs'];

test.each(lists)('pages of one item of $path have what one large page has', async (operation) => {
  const stage = await sharedStage();
  const known = distinct.find(({ paths }) => paths.includes(operation.path))!;
  const body = (await validBody(known, stage)) as Record<string, unknown>;
  const data = Object.fromEntries(Object.entries(body).filter(([name]) => !PAGING.includes(name)));
  const fields = fieldsOf(operation);
  const size = ['pageSize', 'limit'].find((name) => fields.includes(name));
  const isPaged = ['pageToken', 'iterator', 'after'].some((name) => fields.includes(name));
  await runAndRestore(stage, async () => {
    const { method } = await methodOf(operation.path);
    const { items, next } = await method.page(data);
    const single: unknown[] = [];
    const small = size && isPaged ? { [size]: 1 } : {};
    for await (const item of method.iterate({ ...data, ...small })) single.push(item);
    // Where each part counts as an item, smaller parts are more items.
    const isExact = next === undefined && operation.list!.key !== '*';
    // A log has another page only if its run continues.
    if (isExact || operation.path.endsWith('/events')) expect(single).toHaveLength(items.length);
    else expect(single.length).toBeGreaterThanOrEqual(items.length);
  });
});

test('the lists of the client are those of the reference', () => {
  expect(lists.length).toBeGreaterThan(30);
});
