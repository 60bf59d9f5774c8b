import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { routes } from '../../api/index.ts';
import { allEventTypes, describeEvent } from '../../webhooks/catalog/message-body.ts';
import { buildOpenApi } from './openapi.ts';

interface Webhook {
  post: {
    operationId: string;
    parameters: { $ref: string }[];
    requestBody: { content: { 'application/json': { schema: { $ref: string }; example: unknown } } };
    responses: Record<string, unknown>;
  };
}

const document = buildOpenApi(routes) as {
  paths: Record<string, Record<string, { operationId: string }>>;
  webhooks: Record<string, Webhook>;
  components: { schemas: Record<string, object>; parameters: Record<string, { name: string }> };
};
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
ajv.addSchema({ $id: 'https://example.com/openapi', components: document.components });

const schemaOf = (type: string): object => ({
  $ref: `https://example.com/openapi${document.webhooks[type]!.post.requestBody.content['application/json'].schema.$ref}`,
});

test('the document has a webhook for every event, with a name and a schema of its own', () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...allEventTypes].sort());
  const posts = Object.values(document.webhooks).map(({ post }) => post);
  const ids = [
    ...posts.map(({ operationId }) => operationId),
    ...Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    ),
  ];
  expect(ids).toEqual([...new Set(ids)]);
  const refs = posts.map(({ requestBody }) => requestBody.content['application/json'].schema.$ref);
  expect(refs).toEqual([...new Set(refs)]);
});

test('webhooks have the headers of Standard Webhooks', () => {
  for (const { post } of Object.values(document.webhooks)) {
    const names = post.parameters.map(
      ({ $ref }) => document.components.parameters[$ref.replace('#/components/parameters/', '')]!.name,
    );
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    expect(Object.keys(post.responses)).toContain('2XX');
  }
});

test.each(allEventTypes)('the schema of %s accepts its example and refuses others', (type) => {
  const { example } = document.webhooks[type]!.post.requestBody.content['application/json'];
  const { sample } = describeEvent(type);
  expect(example).toEqual(sample);
  const validate = ajv.compile(schemaOf(type));
  expect([validate(sample), validate.errors]).toEqual([true, null]);
  for (const wrong of [
    { ...sample, data: {} },
    { ...sample, event: 'other' },
    { ...sample, createdAt: 'now' },
  ])
    expect(validate(wrong)).toBe(false);
});

test('the schemas of messages say the same as those of the catalog', () => {
  // With every reference replaced by what it refers to.
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, $schema: _, ...rest } = value as Record<string, unknown>;
    const target =
      typeof $ref === 'string'
        ? (inline(document.components.schemas[$ref.replace('#/components/schemas/', '')]) as object)
        : {};
    const others = Object.entries(rest).map(([name, inner]) => [name, inline(inner)]);
    return { ...target, ...Object.fromEntries(others) };
  };
  for (const type of allEventTypes) {
    const { $ref } = document.webhooks[type]!.post.requestBody.content['application/json'].schema;
    expect(inline({ $ref })).toEqual(inline(describeEvent(type).schema));
  }
});
