import { describe, expect, test } from 'vitest';
import { exampleOf } from '../../src/http/openapi/openapi.ts';
import { unknownFieldFinder } from '../../src/http/request/unknown-fields.ts';
import { build, onlyTo } from './bodies.ts';
import type { Place } from './id-fields.ts';
import { resolve, type Schema } from './json-schema.ts';
import { distinct, type Operation } from './operations.ts';
import { valueAt, withValue } from './places.ts';
import { ask, runAndRestore, sharedStage, validBody } from './validate.ts';

const FIELD = 'unheardOfField';

/** Loose objects whose other fields have no effect; their schema in the reference does not tell them from the others. */
const IGNORING = ['/v2/agents/execution/run', '/v2/agents/update'];

/** Places of objects that drop unknown fields, by the reference; `*` stands for every entry of a list. */
function droppingPlaces({ request, path }: Operation): Place[] {
  const found = new Map<string, Place>();
  const visit = (raw: Schema, place: Place) => {
    const here = resolve(raw);
    if (place.length > 10) return;
    const isMarked = place.length === 0 && IGNORING.includes(path);
    if (here.type === 'object' && here.properties && (!('additionalProperties' in here) || isMarked)) {
      found.set(place.join('.'), place);
    }
    for (const member of ((here.anyOf ?? here.oneOf) as Schema[] | undefined) ?? []) visit(member, place);
    for (const [name, inner] of Object.entries((here.properties ?? {}) as Record<string, Schema>)) {
      visit(inner, [...place, name]);
    }
    if (here.items) visit(here.items as Schema, [...place, '*']);
  };
  visit(request, []);
  return [...found.values()];
}

const pathOf = (place: Place): (string | number)[] => place.map((part) => (part === '*' ? 0 : part));

describe.each(distinct)('$path', (operation) => {
  const { find, warningsOf } = unknownFieldFinder(operation.endpoint.data);
  const places = droppingPlaces(operation);

  test('reads every field of its example', () => {
    expect(find({ data: exampleOf(operation.endpoint), beside: [] })).toEqual([]);
    expect(operation.endpoint.ignores?.(exampleOf(operation.endpoint)) ?? []).toEqual([]);
  });

  test('reports an unknown field at every place that drops it', () => {
    for (const place of places) {
      const at = [...place, FIELD];
      const body = build(operation.request, onlyTo(at), () => undefined);
      const found = find({ data: withValue(body, at, 1), beside: [] });
      const { warnings } = warningsOf(found);
      expect(warnings).toMatchObject([{ path: pathOf(at), code: 'unknown_field' }]);
    }
  });

  test('answers a valid request without warnings, and one with unknown fields with one for each', async () => {
    const stage = await sharedStage();
    const valid = await validBody(operation, stage);
    const warningsIn = (body: { result?: { warnings?: unknown } | null; warnings?: unknown }) =>
      body.result?.warnings ?? body.warnings;
    const [plain] = await runAndRestore(stage, () => ask(operation, stage.a, valid));
    expect([plain.status, warningsIn(plain.body)]).toEqual([200, undefined]);

    const present = places.filter((place) => {
      const value = place.length === 0 ? valid : valueAt(valid, place);
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    });
    if (present.length === 0) return;
    const more = present.reduce((body, place) => withValue(body, [...place, FIELD], 1), valid);
    const [reply] = await runAndRestore(stage, () => ask(operation, stage.a, more));
    expect(reply.status).toBe(200);
    const byPath = (one: { path: unknown }, other: { path: unknown }) =>
      JSON.stringify(one.path) < JSON.stringify(other.path) ? -1 : 1;
    const expected = present.map((place) => ({ path: pathOf([...place, FIELD]), code: 'unknown_field' }));
    expect((warningsIn(reply.body) as { path: unknown }[]).toSorted(byPath)).toMatchObject(
      expected.toSorted(byPath),
    );

    const strict = { 'x-redpen-strict': '1' };
    const [refused, changed] = await runAndRestore(stage, () => ask(operation, stage.a, more, strict));
    expect([refused.status, refused.body.error.status, changed]).toEqual([400, 'INVALID_ARGUMENT', []]);
    expect(refused.body.error.details.issues.toSorted(byPath)).toMatchObject(
      expected.map((one) => ({ ...one, code: 'unrecognized_key' })).toSorted(byPath),
    );
  });
});

test('most operations drop unknown fields somewhere', () => {
  expect(distinct.filter((operation) => droppingPlaces(operation).length > 0).length).toBeGreaterThan(100);
});
