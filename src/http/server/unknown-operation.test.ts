import { expect, test } from 'vitest';
import { send, testApp } from '../../../test/harness.ts';
import { likelyPath } from './unknown-operation.ts';

const messageOf = async (method: 'GET' | 'PUT' | 'POST', url: string) => {
  const { app } = await testApp();
  const response = await app.inject({ method, url });
  expect([response.statusCode, response.json().error.status]).toEqual([404, 'NOT_FOUND']);
  return response.json().error.message;
};

test('a path with the wrong method is answered with the right one', async () => {
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
])('for the unknown path %s the likely operation is %s', async (asked, likely) => {
  const { body } = await send(asked, { data: {} });
  expect(body.error).toEqual({
    status: 'NOT_FOUND',
    message: `There is no operation POST ${asked}. Did you mean POST ${likely}?`,
  });
});

test('nothing is suggested for what is near nothing', () => {
  expect(likelyPath('/v2/none', ['/v2/agents/get'])).toBeUndefined();
  expect(likelyPath(`/v2/agents/get${'/'.repeat(200)}`, ['/v2/agents/get'])).toBeUndefined();
});
