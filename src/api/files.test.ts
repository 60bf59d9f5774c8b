import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../test/service/harness.ts';

test('a file with an invalid id or query is refused, and a missing one is not found', async () => {
  const { app } = await testApp();
  const { keyHeaders: headers } = await newWorkspace();
  const get = async (url: string) => {
    const { statusCode, body } = await app.inject({ method: 'GET', url, headers });
    return [statusCode, JSON.parse(body).error.status];
  };
  for (const id of ['a%00b', '%00', 'a%ED%A0%80']) {
    expect(await get(`/v2/blobs/${id}`)).toEqual([400, 'INVALID_ARGUMENT']);
    expect(await get(`/v2/memory/knowledge/files/${id}?expires=1`)).toEqual([400, 'INVALID_ARGUMENT']);
  }
  const ofQuery = await get('/v2/memory/knowledge/files/a?signature=a%00b');
  expect(ofQuery).toEqual([400, 'INVALID_ARGUMENT']);
  expect(await get('/v2/blobs/none')).toEqual([404, 'NOT_FOUND']);
});
