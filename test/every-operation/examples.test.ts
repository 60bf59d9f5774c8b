import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exampleOf } from '../../src/http/openapi/openapi.ts';
import { newWorkspace, send, type TestWorkspace } from '../harness.ts';
import { stageModels } from '../model-stage.ts';
import { anyModels, needsModel } from './any-models.ts';
import { problemsOf } from './json-schema.ts';
import { readKnowledge } from './known-file.ts';
import { distinct, type Operation, operations } from './operations.ts';
import { raiseAlert } from './raised-alert.ts';
import { addResults } from './reviewed-run.ts';

describe.each(operations)('the example of $path', ({ endpoint, request }) => {
  test('exists and is valid', async () => {
    const example = exampleOf(endpoint);
    expect(example).toBeDefined();
    expect(problemsOf(request, example)).toEqual([]);
    expect((await endpoint.data.safeParseAsync(structuredClone(example))).error).toBeUndefined();
  });
});

/** Operations that create what other examples refer to. */
const FIRST = [
  '/v2/organizations/add',
  '/v2/organizations/folders/add',
  '/v2/organizations/documents/add',
  '/v2/users/add',
  '/v2/commentannotations/add',
  '/v2/workspace/activityconfig/update',
  '/v2/workspace/advancedwebhookconfig/update',
  '/v2/users/data/delete',
];
const REMOVES = /\/(delete|dismiss|remove|remove-agents|cancel)$/;
/** Operations that delete what other examples need. */
const LAST = ['/v2/users/delete', '/v2/organizations/delete', '/v2/workspace/authtoken/reset'];

/** All operations in the order of the reference, but those that remove something in reverse order. */
function inOrder(): Operation[] {
  const named = (paths: string[]) =>
    paths.map((path) => distinct.find((operation) => operation.path === path)!);
  const others = distinct.filter(({ path }) => !FIRST.includes(path) && !LAST.includes(path));
  const removing = others.filter(({ path }) => REMOVES.test(path));
  return [
    ...named(FIRST),
    ...others.filter((operation) => !removing.includes(operation)),
    ...removing.toReversed(),
    ...named(LAST),
  ];
}

/** A generated id; examples contain the form of `STAND_IN`. */
const GENERATED = /"([a-z]+)_(?:\d+_)?[0-9A-Za-z]{12,20}"/g;
const STAND_IN = /"([a-z]+)_(?:\d+_)?1a2B3c[0-9A-Za-z]*"/g;
/** Refuses every connection, so that nothing leaves the machine. */
const CLOSED_PORT = 'http://127.0.0.1:9/hook';

const headersOf = ({ endpoint: { auth } }: Operation, workspace: TestWorkspace): Record<string, string> =>
  ({
    public: {},
    workspace: workspace.workspaceHeaders,
    apiKey: workspace.keyHeaders,
    apiKeyOrUser: workspace.keyHeaders,
  })[auth];

test('the examples work one after the other on an empty workspace', async () => {
  const workspace = await newWorkspace();
  const idByKind = new Map<string, string>();
  const keepIds = (text: string) => {
    for (const [id, kind] of text.matchAll(GENERATED)) idByKind.set(kind!, id);
  };
  const call = async (path: string, data: object) => {
    const { result } = (await workspace.post(path, data)).body;
    return result.data ?? result;
  };
  keepIds(JSON.stringify(await raiseAlert(call, 'eve', 'No prices without tax.')));

  const refused: string[] = [];
  for (const operation of inOrder()) {
    const { path, endpoint } = operation;
    if (needsModel(path)) stageModels(anyModels);
    const body = JSON.stringify({ data: exampleOf(endpoint) })
      .replaceAll(STAND_IN, (standIn, kind) =>
        kind === 'key' ? `"${workspace.apiKeyId}"` : (idByKind.get(kind) ?? standIn),
      )
      .replaceAll('https://example.com/webhooks', CLOSED_PORT)
      .replaceAll('ada@example.com', `${randomUUID()}@example.com`)
      .replaceAll('token-of-the-api-key', workspace.token)
      .replaceAll('"waitMs":20000', '"waitMs":0');
    const reply = await send(path, body, headersOf(operation, workspace));
    const answer = JSON.stringify(reply.body);
    if (reply.status !== 200 || answer.includes('"success":false'))
      refused.push(`${path} ${body}: ${answer}`);
    keepIds(answer);
    if (path === '/v2/agents/execution/run') {
      const { executionId } = reply.body.result.data;
      keepIds(JSON.stringify(await addResults(workspace, executionId, 'https://example.com/', 'a')));
    }
    if (path === '/v2/memory/knowledge/ingest') await readKnowledge(workspace, reply.body.result.sourceId);
  }
  expect(refused).toEqual([]);
}, 600_000);
