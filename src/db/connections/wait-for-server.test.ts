import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  type DatabaseState,
  STARTING,
  startStartingDatabase,
} from '../../../test/fakes/starting-database.ts';
import { PATIENCE_MS } from '../../../test/run/patience.ts';
import { openDatabase } from './connect.ts';

const url = process.env.DATABASE_URL!;
const onError = () => {};

interface Line {
  level: string;
  data: object;
  message: string;
}

function recordingLog() {
  const lines: Line[] = [];
  const recorder = (level: string) => (data: object, message: string) =>
    void lines.push({ level, data, message });
  return { lines, log: { warn: recorder('warn'), info: recorder('info') } };
}

test('a start waits until a server that is starting accepts connections', async () => {
  await using server = await startStartingDatabase(url, STARTING);
  const { lines, log } = recordingLog();
  const opening = openDatabase({ databaseUrl: server.url, waiting: { log, waitMs: PATIENCE_MS }, onError });
  await expect.poll(() => server.attempts()).toBeGreaterThan(1);
  server.set('closes');
  const before = server.attempts();
  await expect.poll(() => server.attempts()).toBeGreaterThan(before);
  server.set('open');
  const database = await opening;
  expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
  await database.close();
  expect(lines).toEqual([
    {
      level: 'warn',
      data: { reason: STARTING.message, upToSeconds: PATIENCE_MS / 1_000 },
      message: 'waiting for the database server of DATABASE_URL to accept connections',
    },
    {
      level: 'info',
      data: { waitedMs: expect.any(Number) },
      message: 'the database server accepts connections',
    },
  ]);
});

const RESTARTING: [string, DatabaseState, RegExp][] = [
  ['refuses connections', STARTING, /the database system is starting up/],
  // It depends on the order of packets.
  ['closes connections', 'closes', /Connection terminated unexpectedly|ECONNRESET|EPIPE/],
];

test.each(RESTARTING)('the wait for a server that %s ends with its last error', async (_, state, message) => {
  await using server = await startStartingDatabase(url, state);
  const { lines, log } = recordingLog();
  const opening = openDatabase({ databaseUrl: server.url, waiting: { log, waitMs: 50 }, onError });
  const failure = await opening.catch((error: Error) => error.message);
  expect(failure).toMatch(/^The database that DATABASE_URL names cannot be used: .*\.$/);
  expect(failure).toMatch(message);
  expect(server.attempts()).toBeGreaterThan(1);
  expect(lines.map(({ level }) => level)).toEqual(['warn']);
});

test.each([
  ['28P01', 'password authentication failed for user "redpen"'],
  ['3D000', 'database "redpen" does not exist'],
])('a lasting fault (%s) is reported at once', async (code, message) => {
  await using server = await startStartingDatabase(url, { code, message });
  const { lines, log } = recordingLog();
  const opening = openDatabase({ databaseUrl: server.url, waiting: { log }, onError });
  await expect(opening).rejects.toThrow(message);
  expect(server.attempts()).toBe(1);
  expect(lines).toEqual([]);
});

test('a missing file of a certificate is a lasting fault, unlike a missing socket', async () => {
  const { lines, log } = recordingLog();
  const open = (databaseUrl: string, waitMs?: number) =>
    openDatabase({ databaseUrl, waiting: { log, ...(waitMs !== undefined && { waitMs }) }, onError });
  await expect(open('postgres://127.0.0.1:1/x?sslmode=verify-ca&sslrootcert=/none/ca.pem')).rejects.toThrow(
    "ENOENT: no such file or directory, open '/none/ca.pem'",
  );
  expect(lines).toEqual([]);
  await expect(open('postgres:///x?host=/none', 0)).rejects.toThrow('connect ENOENT /none/.s.PGSQL.5432');
  expect(lines).toHaveLength(1);
});

test('a signal ends the wait', async () => {
  await using server = await startStartingDatabase(url, STARTING);
  const { log } = recordingLog();
  const stop = new AbortController();
  const waiting = { log, signal: stop.signal, waitMs: PATIENCE_MS };
  const opening = openDatabase({ databaseUrl: server.url, waiting, onError });
  const ended = expect(opening).rejects.toThrow('stopped');
  await expect.poll(() => server.attempts()).toBeGreaterThan(0);
  stop.abort(new Error('stopped'));
  await ended;
});
