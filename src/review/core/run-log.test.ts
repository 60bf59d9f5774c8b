import { expect, test } from 'vitest';
import { links, run } from '../../../test/reviews/runs.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { RunFault } from './run-error.ts';
import { createRunLog } from './run-log.ts';

test('a log line with characters that the database refuses is stored, as are the lines beside it', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', { name: 'A', instructions: 'Look.' });
  const { executionId } = await w.must('/v2/agents/execution/run', { agentId, url: 'https://example.com/' });
  const errors: unknown[] = [];
  const ref = { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, executionId };
  const log = createRunLog(deps.db, ref, (error) => errors.push(error));
  log.add({ level: 'info', message: 'first' });
  log.add({ level: 'warn', message: 'nul\0half\ud83d', data: { title: '\udc00\0' } });
  log.add({ level: 'info', message: `${'x'.repeat(1_999)}🙂` });
  await log.flush();
  expect(errors).toEqual([]);
  const { log: lines } = await w.must('/v2/agents/execution/get', { executionId, includeLog: true });
  expect(lines.map(({ message }: { message: string }) => message)).toEqual([
    'first',
    'nul\ufffdhalf\ufffd',
    'x'.repeat(1_999),
  ]);
  expect(lines[1].data).toEqual({ title: '\ufffd\ufffd' });
});

test('the message of a fault can be stored', () => {
  expect(new RunFault('INTERNAL', 'nul\0half\ud83d').message).toBe('nul\ufffdhalf\ufffd');
});

test('no log line of a run contains a secret of its agent', async () => {
  expectLog(/page fails.*connection refused/);
  const w = await newWorkspace();
  const secret = 'hush-hush-0123456789';
  const { execution, log } = await run(
    w,
    {
      ...links,
      name: secret,
      contextGathering: {
        strategies: ['rest-api'],
        strategyOptions: {
          'rest-api': {
            endpoints: [
              {
                id: 'e',
                description: 'd',
                url: 'http://127.0.0.1:9/',
                auth: { type: 'bearer', token: secret },
              },
            ],
          },
        },
      },
    },
    { url: `http://127.0.0.1:9/?${secret}` },
  );
  expect(execution.status).toBe('error');
  expect(JSON.stringify(log)).not.toContain(secret);
  expect(log[0].message).toContain('[secret removed]');
});
