import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exampleOf } from '../../src/http/openapi/openapi.ts';
import { signIn } from '../people/console-session.ts';
import { addMember } from '../people/members.ts';
import { stageModels } from '../reviews/model-stage.ts';
import { newWorkspace, send } from '../service/harness.ts';
import { anyModels, needsModel } from './any-models.ts';
import { headersOf, inOrder, LatestIds } from './example-order.ts';
import { problemsOf } from './json-schema.ts';
import { readKnowledge } from './known-file.ts';
import { operations } from './operations.ts';
import { raiseAlert } from './raised-alert.ts';
import { addPictured } from './reviewed-run.ts';

describe.each(operations)('the example of $path', ({ endpoint, request }) => {
  test('exists and is valid', async () => {
    const example = exampleOf(endpoint);
    expect(example).toBeDefined();
    expect(problemsOf(request, example)).toEqual([]);
    expect((await endpoint.data.safeParseAsync(structuredClone(example))).error).toBeUndefined();
  });
});

/** Refuses every connection, so that nothing leaves the machine. */
const CLOSED_PORT = 'http://127.0.0.1:9/hook';

test('the examples work one after the other on an empty workspace', async () => {
  const workspace = await newWorkspace();
  const session = await signIn(workspace);
  const ids = new LatestIds(workspace);
  const call = async (path: string, data: object) => {
    const { result } = (await workspace.post(path, data)).body;
    return result.data ?? result;
  };
  ids.keep(JSON.stringify(await raiseAlert(call, 'eve', 'No prices without tax.')));

  const refused: string[] = [];
  for (const operation of inOrder()) {
    const { path, endpoint } = operation;
    if (needsModel(path)) stageModels(anyModels);
    if (path === '/v2/agents/execution/cancel') {
      // The latest run is that of a review that was cancelled.
      const run = { agentId: 'spell-check', url: 'https://example.com/cancelled' };
      ids.keep(JSON.stringify(await workspace.must('/v2/agents/execution/run', run)));
    }
    if (path === '/v2/members/remove') {
      const { memberId } = await addMember(workspace, 'viewer');
      ids.keep(JSON.stringify({ memberId }));
    }
    const body = ids
      .fill(JSON.stringify({ data: exampleOf(endpoint) }))
      .replaceAll('https://example.com/webhooks', CLOSED_PORT)
      .replaceAll('ada@example.com', `${randomUUID()}@example.com`)
      .replaceAll('token-of-the-api-key', workspace.token)
      .replaceAll('token-of-the-workspace', workspace.authToken)
      .replaceAll('"waitMs":20000', '"waitMs":0');
    const reply = await send(path, body, headersOf(operation, workspace, session));
    const answer = JSON.stringify(reply.body);
    if (reply.status !== 200 || answer.includes('"success":false'))
      refused.push(`${path} ${body}: ${answer}`);
    ids.keep(answer);
    if (path === '/v2/agents/execution/run') {
      const { executionId } = reply.body.result.data;
      ids.keep(JSON.stringify([await addPictured(workspace, executionId, 'https://example.com/', 'a')]));
    }
    if (path === '/v2/memory/knowledge/ingest') await readKnowledge(workspace, reply.body.result.sourceId);
  }
  expect(refused).toEqual([]);
}, 600_000);
