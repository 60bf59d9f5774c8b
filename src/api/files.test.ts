import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../test/harness.ts';

const get = async (url: string) => {
  const { app } = await testApp();
  const { keyHeaders } = await newWorkspace();
  const { statusCode, body } = await app.inject({ method: 'GET', url, headers: keyHeaders });
  return [statusCode, JSON.parse(body).error.status];
};

test.each(['a%00b', '%00', 'a%ED%A0%80'])('the invalid file id %s is refused', async (id) => {
  expect(await get(`/v2/blobs/${id}`)).toEqual([400, 'INVALID_ARGUMENT']);
  expect(await get(`/v2/memory/knowledge/files/${id}?expires=1`)).toEqual([400, 'INVALID_ARGUMENT']);
});

test('a link with an invalid query is refused', async () => {
  expect(await get('/v2/memory/knowledge/files/a?signature=a%00b')).toEqual([400, 'INVALID_ARGUMENT']);
});

test('a missing file is not found', async () => {
  expect(await get('/v2/blobs/none')).toEqual([404, 'NOT_FOUND']);
});
