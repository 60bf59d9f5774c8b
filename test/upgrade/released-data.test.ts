import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newDatabase } from '../database/new-database.ts';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { startService } from '../service/service.ts';
import { lasting, readScreenshot, readSecret, readTenant, type Tenant } from './sample-tenant.ts';

interface ReleaseRecord {
  tenant: Tenant;
  /** What the operations of that version answered. */
  answers: Record<string, unknown>;
}

const FOLDER = join(import.meta.dirname, 'released');
const CLI = resolve(import.meta.dirname, '../../src/cli.ts');
const unpacked = (name: string) => gunzipSync(readFileSync(join(FOLDER, name)));
const versions = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.tar.gz'))
  .map((name) => name.slice(0, -'.tar.gz'.length));

test('there is a record of data for each release in the changelog', () => {
  const changelog = readFileSync(resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, version]) => version);
  expect(versions).toEqual(expect.arrayContaining(released));
  expect(versions).toContain('0.1.0');
});

test.each(versions)(
  'data of version %s is restored, migrated and read as that version did',
  async (version) => {
    const folder = mkdtempSync(join(tmpdir(), 'redpen-released-'));
    const { url, drop } = await newDatabase({ empty: true });
    const env = { REDPEN_DATA_DIR: join(folder, 'data'), DATABASE_URL: url };
    try {
      const backup = join(folder, 'backup.tar');
      writeFileSync(backup, unpacked(`${version}.tar.gz`));
      await promisify(execFile)(process.execPath, [CLI, 'restore', backup], {
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...env },
      });
      // Without a worker, nothing changes that time changes: no schedule is made up for, and no webhook is tried again.
      const service = await startService({ ...env, REDPEN_ROLES: 'api' });
      try {
        const { tenant, answers }: ReleaseRecord = JSON.parse(unpacked(`${version}.json.gz`).toString());
        // A later version may add fields.
        expect(await readTenant(service, tenant)).toMatchObject(lasting(answers, service.url) as object);
        expect(await readSecret(service, tenant)).toBe(tenant.secret);
        expect(await readScreenshot(service, tenant)).toBeGreaterThan(0);
        const { status } = await service.post(
          '/v2/commentannotations/comments/add',
          {
            organizationId: 'acme',
            documentId: 'home',
            annotationId: 'note-1',
            commentData: [{ commentText: 'After the upgrade', from: { userId: 'ada' } }],
          },
          tenant.apiKey,
        );
        expect(status).toBe(200);
      } finally {
        await service.kill('SIGTERM');
      }
    } finally {
      await drop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
