import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { runCommand } from '../../src/roles/commands/commands.ts';
import { explain } from '../../src/roles/settings/explain-failure.ts';
import { newDatabase } from '../database/new-database.ts';
import { atEnd } from '../run/at-end.ts';
import { testLog as log } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { ownTenant } from '../service/own-tenant.ts';
import { type Ended, newPlace, runRedpen } from '../service/redpen-command.ts';
import { type Service, startService } from '../service/service.ts';

/** Runs a command in this process, which takes less time than a process of its own. */
async function redpen(env: Record<string, string>, ...words: string[]): Promise<Ended> {
  let said = '';
  const onProgress = (line: string) => {
    said += `${line}\n`;
  };
  try {
    const setup = () => ({ config: readConfig(env), log, onProgress });
    const { output, notice = '', exitCode } = await runCommand(words, setup);
    if (exitCode === 0) return { code: 0, stdout: output, stderr: said + notice };
    return { code: exitCode, stdout: '', stderr: said + notice + output };
  } catch (error) {
    return { code: 1, stdout: '', stderr: `${said}${explain(error)}\n` };
  }
}

const PLACE = { organizationId: 'o', documentId: 'd' };

test('data goes from a folder to a backup, to another folder, to a server and back, while services come and go', {
  timeout: 900_000,
  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: one way of the data, step after step.
}, async () => {
  const place = newPlace();
  atEnd(place.remove);
  const at = (name: string) => join(place.folder, name);
  const asProcess = (env: Record<string, string>, ...words: string[]) => runRedpen(place, words, env);
  let service: Service;
  const serve = async (env: Record<string, string>) => {
    service = await startService(env);
  };
  mkdirSync(at('backups'));
  const first = { REDPEN_DATA_DIR: at('first') };
  const backups = { REDPEN_BACKUP_URL: pathToFileURL(at('backups')).href };
  await serve({ ...first, ...backups });
  const tenant = await ownTenant(() => service);
  await tenant.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'd', documentName: 'D' }],
  });
  const comment = (text: string) =>
    tenant.must('/v2/commentannotations/add', {
      ...PLACE,
      commentAnnotations: [{ commentData: [{ commentText: text, from: { userId: 'ada' } }] }],
    });
  const texts = async (): Promise<string[]> => {
    const found: { comments: { commentText: string }[] }[] = await tenant.must('/v2/commentannotations/get', {
      ...PLACE,
      pageSize: 100,
    });
    return found.map(({ comments }) => comments[0]!.commentText).sort();
  };
  await comment('first');

  // The service writes the first backup by itself, soon after its start.
  await until(() => readdirSync(at('backups')).some((name) => name.endsWith('.tar')));
  const listed = await redpen({ ...first, ...backups }, 'backup', 'list');
  expect(listed.stdout).toMatch(/redpen-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar +\d{4}-/);
  expect(await redpen({ ...first, ...backups }, 'backup', 'check', 'latest')).toMatchObject({ code: 0 });

  const written = await asProcess(first, 'backup', at('one.tar'));
  expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('SHA-256 ') });
  expect(written.stderr).toContain(`keep a copy of ${at('first/master.key')} apart from it`);
  expect(await redpen(first, 'backup', at('one.tar'))).toMatchObject({
    code: 1,
    stderr: `${at('one.tar')} exists already: choose another name, or remove it.\n`,
  });
  expect((await redpen(first, 'audit', 'list')).stdout).toMatch(/ backup\.written +\S+one\.tar /);
  await comment('after the backup');
  expect((await redpen(first, 'restore', at('one.tar'))).stderr).toContain('is in use by process');
  expect((await redpen(first, 'move', '--to', at('other'))).stderr).toContain('is in use by process');
  await service!.kill('SIGTERM');

  // Elsewhere, the secrets need their key.
  const second = { REDPEN_DATA_DIR: at('second') };
  expect(await redpen(second, 'restore', at('one.tar'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `put the file master.key of the backed-up data folder into ${at('second')}`,
    ),
  });
  mkdirSync(at('second'));
  copyFileSync(at('first/master.key'), at('second/master.key'));
  expect(await asProcess(second, 'restore', at('one.tar'))).toMatchObject({ code: 0 });
  await serve(second);
  expect(await texts()).toEqual(['first']);
  await comment('second');
  await service!.kill('SIGTERM');

  // To a server.
  const { url, drop } = await newDatabase({ empty: true });
  atEnd(drop);
  const files = pathToFileURL(at('files')).href;
  const moved = await asProcess(second, 'move', '--to', url, '--files-to', files);
  expect([moved.code, moved.stderr]).toEqual([0, expect.stringContaining('the same in both')]);
  const refused = await redpen(second, 'workspace', 'list');
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The data of this database was moved'),
  });
  await expect(serve(second)).rejects.toThrow('The data of this database was moved');
  const server = { ...second, DATABASE_URL: url, REDPEN_BLOB_URL: files };
  await serve(server);
  expect(await texts()).toEqual(['first', 'second']);
  await comment('third');
  // A backup of the server, while it serves.
  expect(await redpen(server, 'backup', at('server.tar'), '--with-key')).toMatchObject({ code: 0 });
  expect((await redpen(server, 'move', '--to', at('third'))).stderr).toMatch(/connections? of a service/);
  await service!.kill('SIGTERM');

  // From the server to a new folder, by a move and by the backup, which has the key.
  expect(await redpen(server, 'move', '--to', at('third'))).toMatchObject({ code: 0 });
  // Each move is in the log of both databases; the one that was refused did not begin.
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  atEnd(() => database.end());
  const { rows: moves } = await database.query(
    "select via, actor_kind as actor from audit_log where action = 'database.move_started'",
  );
  expect(moves).toEqual(Array.from({ length: 2 }, () => ({ via: 'redpen move', actor: 'operator' })));
  await serve({ REDPEN_DATA_DIR: at('third') });
  expect(await texts()).toEqual(['first', 'second', 'third']);
  await service!.kill('SIGTERM');
  const fourth = { REDPEN_DATA_DIR: at('fourth') };
  expect(await redpen(fourth, 'restore', at('server.tar'))).toMatchObject({ code: 0 });
  const { stdout } = await redpen(fourth, 'key', 'token', tenant.apiKeyId, '--json');
  expect(JSON.parse(stdout)).toMatchObject(tenant.variables);
});
