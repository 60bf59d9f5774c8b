import { expect, test } from 'vitest';
import { send, testApp } from '../../../test/service/harness.ts';
import { likelyPath } from './unknown-operation.ts';

const messageOf = async (method: 'GET' | 'PUT' | 'POST', url: string) => {
  const { app } = await testApp();
  const response = await app.inject({ method, url });
  expect([response.statusCode, response.json().error.status]).toEqual([404, 'NOT_FOUND']);
  return response.json().error.message;
};

test('the wrong method for a path is answered with the right one', async () => {
  expect(await messageOf('GET', '/v2/agents/get?agentId=x')).toBe(
    'There is no operation GET /v2/agents/get. Use POST, with the parameters as JSON in the body.',
  );
  expect(await messageOf('PUT', '/v2/agents/create')).toMatch(/Use POST, /);
  expect(await messageOf('POST', '/health')).toBe('There is no operation POST /health. Use GET.');
});

test.each([
  ['/v2/workspace/advancedwebhook/endpoints/list', '/v2/workspace/advancedwebhook/endpoints/get'],
  ['/v2/agent/get', '/v2/agents/get'],
  ['/v2/agents/get/', '/v2/agents/get'],
  ['/V2/Agents/Execution/Run', '/v2/agents/execution/run'],
  ['/v2/organizations/remove', '/v2/organizations/delete'],
])('the unknown path %s is answered with the suggestion %s', async (requested, likely) => {
  const { body } = await send(requested, { data: {} });
  expect(body.error).toEqual({
    status: 'NOT_FOUND',
    message: `There is no operation POST ${requested}. Did you mean POST ${likely}?`,
  });
});

test('a path unlike any other gets no suggestion', () => {
  expect(likelyPath('/v2/none', ['/v2/agents/get'])).toBeUndefined();
  expect(likelyPath(`/v2/agents/get${'/'.repeat(200)}`, ['/v2/agents/get'])).toBeUndefined();
});
