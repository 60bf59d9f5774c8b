import { expect, test } from 'vitest';
import { newEventStage } from '../../../test/live/event-stage.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';

const header = (name: string) => ({ 'x-redpen-assistant': name });

test('any request may name an assistant, and one with a name that is none is refused', async () => {
  const w = await newWorkspace();
  expect((await w.post('/v2/organizations/get', {}, header('Claude Code'))).status).toBe(200);
  const refusal = {
    error: { status: 'INVALID_ARGUMENT', message: expect.stringContaining('x-redpen-assistant') },
  };
  expect(await w.post('/v2/organizations/get', {}, header('a%00'))).toMatchObject({
    status: 400,
    body: refusal,
  });
  const stage = await newEventStage();
  const stream = await fetch(stage.url({}), {
    headers: { ...stage.workspace.keyHeaders, ...header('a%00') },
  });
  expect([stream.status, await stream.json()]).toMatchObject([400, refusal]);
  // Who may not call at all learns that first.
  expect(
    (await w.post('/v2/organizations/get', {}, { ...header(''), 'x-service-auth-token': 'no' })).status,
  ).toBe(401);
});

test('pages may send the header', async () => {
  const { app } = await testApp();
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/v2/commentannotations/add',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  });
  expect(String(preflight.headers['access-control-allow-headers']).split(', ')).toContain(
    'x-redpen-assistant',
  );
});
