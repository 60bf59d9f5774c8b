import { expect, test } from 'vitest';
import { z } from 'zod';
import { routes } from '../src/api/index.ts';
import { collectSchemas } from '../src/http/openapi/named-schemas.ts';
import { buildOpenApi } from '../src/http/openapi/openapi.ts';
import { documentedAs, named } from '../src/shapes/named.ts';

type Schema = Record<string, unknown>;

const document = buildOpenApi(routes) as {
  paths: Schema;
  webhooks: Schema;
  components: { schemas: Record<string, Schema> };
};
const { schemas } = document.components;

/** Keywords with values that contain no schemas. */
const VALUES = ['example', 'examples', 'enum', 'const', 'default'];

/** Every schema within `value`, itself included, with its place. */
function* schemasIn(value: unknown, place: string): Generator<[place: string, schema: Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Schema];
  for (const [key, inner] of Object.entries(value)) {
    if (place.endsWith('/properties') || !VALUES.includes(key)) yield* schemasIn(inner, `${place}/${key}`);
  }
}

const all = [
  ...schemasIn(document.paths, 'paths'),
  ...schemasIn(document.webhooks, 'webhooks'),
  ...schemasIn(schemas, 'schemas'),
];

test('an object with four fields or more that occurs twice has a name', () => {
  const anonymous = all.filter(
    ([place, { type, properties }]) =>
      type === 'object' &&
      typeof properties === 'object' &&
      Object.keys(properties!).length >= 4 &&
      !/^schemas\/[^/]+$/.test(place),
  );
  const places = Map.groupBy(anonymous, ([, { description: _, ...schema }]) => JSON.stringify(schema));
  const twice = [...places.values()].filter(({ length }) => length > 1);
  expect(twice.map((same) => same.map(([place]) => place))).toEqual([]);
});

test('every reference leads to a schema, and every schema is referred to', () => {
  const referred = all.flatMap(([, { $ref }]) =>
    typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') ? [$ref.split('/').at(-1)!] : [],
  );
  expect(new Set(referred)).toEqual(new Set(Object.keys(schemas)));
});

test('every constant and list of values has a type, which some generators do not infer', () => {
  const untyped = all.filter(
    ([, schema]) => ('const' in schema || Array.isArray(schema.enum)) && schema.type === undefined,
  );
  expect(untyped.map(([place]) => place)).toEqual([]);
});

test('a string has one pattern, since generators print a type for each part of `allOf`', () => {
  const split = all.filter(([, { type, allOf }]) => type === 'string' && allOf !== undefined);
  expect(split.map(([place]) => place)).toEqual([]);
  const word = z
    .string()
    .regex(/^[^:]*$/)
    .regex(/\S/);
  const { request } = convert(z.object({ word }), z.null()).paths as { request: Schema };
  const { pattern } = (request.properties as Record<string, Schema>).word!;
  const given = ['a', ' b ', '', ' ', 'a:b', ':', 'a\n', '\n'];
  const matches = given.filter((text) => new RegExp(String(pattern), 'u').test(text));
  expect(matches).toEqual(given.filter((text) => word.safeParse(text).success));
});

test('the document is the same each time', () => {
  expect(buildOpenApi(routes)).toEqual(document);
});

test('names are written in one way, and the expected ones exist', () => {
  expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      ...['Annotation', 'AnnotationAgent', 'Comment', 'Status', 'Suggestion', 'Visibility', 'Priority'],
      ...['Finding', 'Place', 'Cause', 'Execution', 'Agent', 'AgentSummary', 'AgentGroup', 'PageResult'],
      ...['Judgment', 'MemoryPattern', 'Delivery', 'WebhookEndpoint', 'Document', 'Folder', 'Organization'],
      ...['User', 'Contact', 'UserGroup', 'Notification', 'Activity', 'Snapshot', 'BatchResult', 'Failure'],
      ...['CommentannotationsGetRequest', 'CommentannotationsGetResult'],
    ]),
  );
});

test('the forms of a result that depends on the request are told apart by `shape`', () => {
  const unions = Object.entries(schemas).filter(([, { discriminator }]) => discriminator);
  const shapes = Object.fromEntries(
    unions.map(([name, { discriminator }]) => [
      name,
      Object.keys((discriminator as { mapping: object }).mapping),
    ]),
  );
  expect(shapes).toEqual({
    AgentsGetResult: ['agent', 'agents'],
    AgentsExecutionCountResult: ['counts', 'total'],
    UsersGetResult: ['list', 'byDocument'],
    CommentannotationsGetResult: ['list', 'byDocument', 'anchors', 'anchorsByDocument'],
  });
});

test('no other result is a list in one case and a map in another', () => {
  const mixed = Object.entries(schemas).filter(([name, { properties }]) => {
    const { data } = (properties ?? {}) as { data?: { anyOf?: Schema[] } };
    const types = new Set(data?.anyOf?.map(({ type }) => type));
    return name.endsWith('Result') && types.has('array') && types.has('object');
  });
  expect(mixed.map(([name]) => name)).toEqual([]);
});

test('every operation says which credentials it takes', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item as Schema)) as {
    operationId: string;
    'x-redpen-credentials': string[];
    security: object[];
  }[];
  for (const { operationId, security, 'x-redpen-credentials': words } of operations) {
    const ofScheme = security.flatMap((scheme) =>
      Object.keys(scheme).flatMap(
        (key) =>
          ({ apiKey: 'apiKey', userToken: 'userToken', workspaceId: 'workspace', session: 'session' })[key] ??
          [],
      ),
    );
    expect([operationId, words]).toEqual([operationId, security.length === 0 ? ['public'] : ofScheme]);
  }
});

test('an earlier path is deprecated, and only those', () => {
  const posts = Object.entries(document.paths).flatMap(([path, item]) => {
    const { post } = item as { post?: { tags: string[]; deprecated?: true } };
    return post ? [{ path, isEarlier: post.tags.includes('v1'), deprecated: post.deprecated ?? false }] : [];
  });
  expect(posts.filter(({ isEarlier, deprecated }) => isEarlier !== deprecated)).toEqual([]);
});

const convert = (request: z.ZodType, result: z.ZodType) => {
  const collected = collectSchemas();
  const paths = {
    request: collected.convert(request, 'input', 'Request'),
    result: collected.convert(result, 'output', 'Result'),
  };
  return collected.finish(paths);
};

test('a schema with two forms has two names, also if only a schema within it has two', () => {
  const limits = named('Limits', z.object({ size: z.number().default(1) }));
  const box = named('Box', z.object({ limits }));
  const plain = named('Plain', z.object({ id: z.string() }));
  const both = z.object({ box, plain: plain.optional().describe('Of use.') });
  const { paths, schemas } = convert(both, both);
  expect(Object.keys(schemas).sort()).toEqual(['Box', 'BoxInput', 'Limits', 'LimitsInput', 'Plain']);
  expect(paths.request).toMatchObject({
    properties: {
      box: { $ref: '#/components/schemas/BoxInput' },
      plain: { $ref: '#/components/schemas/Plain', description: 'Of use.' },
    },
  });
  expect(paths.result).toMatchObject({ properties: { box: { $ref: '#/components/schemas/Box' } } });
});

test('two schemas cannot have the same name', () => {
  const one = named('Twin', z.object({ one: z.string() }));
  const other = named('Twin', z.object({ other: z.string() }));
  expect(() => convert(z.object({ one, other }), z.null())).toThrow('Two schemas have the name Twin.');
});

test('a documented schema shows its documentation and parses as before', () => {
  const parsed = z.looseObject({ id: z.string() });
  const record = named('Record', documentedAs(parsed.extend({ size: z.number() }), parsed));
  expect(record.parse({ id: 'a', size: 'odd', more: 1 })).toEqual({ id: 'a', size: 'odd', more: 1 });
  const { schemas } = convert(z.null(), z.array(record.nullable()));
  expect(schemas.Record).toMatchObject({ properties: { size: { type: 'number' } } });
});
