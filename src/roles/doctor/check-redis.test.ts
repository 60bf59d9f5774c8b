import { expect, test } from 'vitest';
import { startRedisStage } from '../../../test/live/redis-stage.ts';
import { checkRedis } from './check-redis.ts';

const LONG_MS = 60_000;

test('redis: a message is published and received', async () => {
  const stage = await startRedisStage();
  expect(await checkRedis(stage.urlOver(stage.tunnel), LONG_MS)).toMatchObject({
    status: 'ok',
    found: expect.stringMatching(/^Redis at 127\.0\.0\.1:\d+.* delivered a message/),
  });
});

test('redis: a wrong password is reported without the password', async () => {
  const stage = await startRedisStage();
  await stage.setUser('checker', 'right-password');
  const url = stage.urlOver(stage.tunnel, '', 'checker:hunter22@');
  const refused = await checkRedis(url, LONG_MS);
  expect(refused).toMatchObject({
    status: 'failed',
    advice: expect.stringContaining('REDIS_URL'),
    brief: 'Redis cannot be used (REDIS_URL).',
  });
  expect(JSON.stringify(refused)).not.toContain('hunter22');
});
