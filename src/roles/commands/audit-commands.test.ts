import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { auditOf, tamper } from '../../../test/people/audit.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { readConfig } from '../../config.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { runCommand } from './commands.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

const run = async (...words: string[]): Promise<Outcome> => {
  const { deps } = await testApp();
  const env = { DATABASE_URL: process.env.DATABASE_URL!, REDPEN_MASTER_KEY: MASTER_KEY, PORT: '0' };
  return await runCommand(words, () => ({ config: readConfig(env), log: deps.log, onProgress: () => {} }));
};

test('commands of the operator are recorded, those about the service in a chain of its own', async () => {
  const w = await newWorkspace();
  expect(await run('key', 'reset', w.apiKeyId)).toMatchObject({ exitCode: 0 });
  expect(await run('workspace', 'plan', w.workspaceId, 'paid')).toMatchObject({ exitCode: 0 });
  const entries = await auditOf(w);
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'workspace.plan_changed', via: 'redpen workspace plan', after: { plan: 'paid' } },
    { action: 'token.reset', actor: { kind: 'operator' }, via: 'redpen key reset', address: null },
  ]);
  await run('allow-host', 'audited.internal');
  await run('allow-host', '--remove', 'audited.internal');
  const { output } = await run('audit', 'list', '--limit', '2');
  expect(output).toMatch(
    /allowed_host\.removed +audited\.internal .+\n.+ allowed_host\.added +audited\.internal /,
  );
});

test('the check of the chains says which one breaks, and fails then', async () => {
  const w = await newWorkspace();
  const whole = await run('audit', 'verify', w.workspaceId);
  expect(whole).toMatchObject({ exitCode: 0, output: expect.stringContaining('whole') });
  await tamper(sql`update audit_log set actor_name = 'x' where workspace_id = ${w.workspaceId}`);
  const broken = await run('audit', 'verify', w.workspaceId);
  expect(broken).toMatchObject({ exitCode: 1, output: expect.stringContaining('broken at 1') });
  expect(await run('audit', 'verify', 'unknown')).toMatchObject({ exitCode: 1 });
});
