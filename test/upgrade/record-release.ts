// `node test/upgrade/record-release.ts FOLDER` records what this version stores: a backup of a full tenant, and what its
// operations answer. The release script keeps it, and tests of all later versions take it forward.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { version } from '../../src/lib/version.ts';
import { startService } from '../service/service.ts';
import { fillTenant, readTenant } from './sample-tenant.ts';

const [into] = process.argv.slice(2);
if (into === undefined) throw new Error('Name the folder for the record of this version.');
const folder = resolve(into);
const data = mkdtempSync(join(tmpdir(), 'redpen-release-'));
const env = { REDPEN_DATA_DIR: data, REDPEN_ALLOW_HOSTS: '127.0.0.1', REDPEN_CONSOLE: 'off' };
const keep = (kind: string, bytes: Buffer) =>
  writeFileSync(join(folder, `${version}.${kind}.gz`), gzipSync(bytes, { level: 9 }));
try {
  mkdirSync(folder, { recursive: true });
  const service = await startService(env);
  const backup = join(data, 'backup.tar');
  try {
    const tenant = await fillTenant(service);
    const answers = await readTenant(service, tenant);
    keep('json', Buffer.from(JSON.stringify({ tenant, answers })));
  } finally {
    await service.kill('SIGTERM');
  }
  const cli = join(import.meta.dirname, '../../src/cli.ts');
  execFileSync(process.execPath, [cli, 'backup', backup, '--with-key'], {
    env: { PATH: process.env.PATH, REDPEN_DATA_DIR: data },
    stdio: ['ignore', 2, 2],
  });
  keep('tar', readFileSync(backup));
} finally {
  rmSync(data, { recursive: true, force: true });
}
