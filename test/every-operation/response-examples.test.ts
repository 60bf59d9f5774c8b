import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../src/api/index.ts';
import { buildOpenApi } from '../../src/http/openapi/openapi.ts';
import { EXAMPLES_FOLDER } from '../../src/http/openapi/response-examples.ts';
import { problemsOf, type Schema } from './json-schema.ts';
import { shapeOf } from './readable-answer.ts';
import { recordAnswers } from './recorded-answers.ts';

type Examples = Record<string, unknown>;

const fileOf = (tag: string): string => join(EXAMPLES_FOLDER, `${tag}.json`);
const tagOf = (path: string): string => /^\/v\d\/([^/]+)/.exec(path)?.[1] ?? 'service';

function recorded(tag: string): Examples {
  try {
    return JSON.parse(readFileSync(fileOf(tag), 'utf8'));
  } catch {
    return {};
  }
}

// `npm run docs` updates the files. An example stays as it is until the shape of the answer changes.
test('the recorded examples have the shape that the service answers with now', async () => {
  const answers = await recordAnswers();
  const refused = [...answers].filter(([, { reply }]) => reply.status !== 200);
  expect(refused.map(([path, { reply }]) => `${path}: ${JSON.stringify(reply.body)}`)).toEqual([]);
  const byTag = Map.groupBy(answers, ([path]) => tagOf(path));
  for (const [tag, ofTag] of byTag) {
    const known = recorded(tag);
    const current = ofTag
      .map(([path, { example }]): [string, unknown] => {
        const isSame = JSON.stringify(shapeOf(known[path])) === JSON.stringify(shapeOf(example));
        return [path, isSame ? known[path] : example];
      })
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const text = `${JSON.stringify(Object.fromEntries(current), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(fileOf(tag));
  }
}, 600_000);

interface Described {
  responses: Record<string, { content?: Record<string, { schema: Schema; example?: unknown }> }>;
}

const document = buildOpenApi(routes) as { paths: Record<string, Record<string, Described>> };
const successes = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { responses }]) => {
    const json = responses['200']?.content?.['application/json'];
    // The document does not contain itself.
    return json && path !== '/openapi.json' ? [{ name: `${method} ${path}`, ...json }] : [];
  }),
);

test.each(successes)('$name has an example that is valid', ({ schema, example }) => {
  expect(example).toBeDefined();
  expect(problemsOf(schema, example)).toEqual([]);
});

test('examples contain no address and no name outside of example domains', () => {
  for (const { name, example } of successes) {
    const text = JSON.stringify(example);
    const hosts = [...text.matchAll(/(?:https?:\/\/|@)([\w.:-]+)/g)].map(([, host]) => host!);
    const others = hosts.filter((host) => !/(^|\.)example(\.com)?$|^json-schema\.org$/.test(host));
    expect([name, others]).toEqual([name, []]);
    expect([name, text.match(/localhost|127\.0\.0\.1/)]).toEqual([name, null]);
  }
});
