import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { randomId } from '../../src/lib/ids.ts';
import { readServerPid } from '../../src/postgres/postmaster.ts';
import { atEnd } from '../run/at-end.ts';
import { allowLog } from '../run/log-watch.ts';
import { rounds } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { signalProcess } from '../service/browser-processes.ts';
import { newLiveTenant, newTypist, type Typist } from '../service/live-tenant.ts';
import { startService } from '../service/service.ts';

const KILLS = rounds(1, 3, 'KILLS');
const VICTIMS = ['both', 'database', 'service'] as const;
const WRITERS = 4;
const TYPISTS = 3;
const ORGANIZATION = 'acme';

/** Processes whose working directory is the folder of a cluster: the server and its connections. */
function serversIn(cluster: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    } catch {
      return false;
    }
  });
}

test(`after ${KILLS} kills of the service, of its database, or of both, nothing acknowledged is missing`, {
  timeout: 900_000 + KILLS * 40_000,
  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: writers, kills and the comparison share what was acknowledged.
}, async () => {
  allowLog(/database|connect|EPIPE|ECONN|ENOENT|run resumed|could not be counted/i);
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-kill-'));
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const cluster = join(realpathSync(dataDir), 'postgres');
  const service = await startService({ REDPEN_DATA_DIR: dataDir });
  const tenant = await newLiveTenant(() => service);
  const token = await tenant.token('ada');

  const written: string[] = [];
  const words: string[] = [];
  const statuses = new Set<number>();
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = VICTIMS[kill % VICTIMS.length]!;
    let isOver = false;
    const typists: Typist[] = Array.from({ length: TYPISTS }, (_, index) =>
      newTypist(service.url, token, `${kill}.${index}`),
    );
    await until(() => typists.every(({ provider }) => provider.isSynced), 'all typists to connect');
    const { post } = service;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!isOver) {
        const documentId = `${kill}.${randomId(10)}`;
        const reply = await post(
          '/v2/organizations/documents/add',
          { organizationId: ORGANIZATION, documents: [{ documentId }] },
          tenant.headers,
        ).catch(() => undefined);
        if (reply) statuses.add(reply.status);
        if (reply?.status === 200) written.push(documentId);
        else await pause(5);
      }
    });
    const typing = (async () => {
      while (!isOver) {
        for (const typist of typists) typist.type();
        await pause(10);
      }
    })();
    await pause(30 + Math.random() * 600);
    // On a slow machine nothing may be acknowledged yet that could be lost.
    await until(() => written.length > (kill + 1) * WRITERS, 'acknowledged documents');
    if (victim !== 'service') {
      const server = readServerPid(cluster);
      if (server !== undefined) signalProcess(server, 'SIGKILL');
    }
    if (victim === 'database') {
      // The service recovers without a restart.
      const before = written.length;
      await vi.waitFor(() => expect(written.length).toBeGreaterThan(before + WRITERS), {
        timeout: 300_000,
        interval: 20,
      });
      isOver = true;
      words.push(...typists.flatMap((typist) => typist.acknowledged()));
      for (const typist of typists) typist.close();
    } else {
      const dead = service.kill('SIGKILL');
      // A client that reconnects would send its words again.
      for (const typist of typists) typist.close();
      words.push(...typists.flatMap((typist) => typist.acknowledged()));
      await dead;
      isOver = true;
    }
    await Promise.all([...writers, typing]);
    if (victim !== 'database') await service.restart();
  }

  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const ready = await fetch(`${service.url}/ready`);
  expect(await ready.json()).toMatchObject({ status: 'ready', faults: [], warnings: [] });
  const stored = new Set<string>();
  let pageToken: string | undefined;
  do {
    const { body } = await service.post(
      '/v2/organizations/documents/get',
      { organizationId: ORGANIZATION, ...(pageToken && { pageToken }) },
      tenant.headers,
    );
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    const { result } = body as any;
    for (const { documentId, id } of result.data) stored.add(documentId ?? id);
    pageToken = result.nextPageToken || result.pageToken || undefined;
  } while (pageToken);
  expect(written.length).toBeGreaterThan(KILLS * WRITERS);
  expect(written.filter((documentId) => !stored.has(documentId))).toEqual([]);

  const [editor] = await tenant.must('/v2/crdt/get', {
    organizationId: ORGANIZATION,
    documentId: 'home',
    editorId: 'body',
  });
  expect(words.length).toBeGreaterThan(0);
  const kept = new Set<string>(editor.data.match(/\[[^\]]+\]/g));
  expect(words.filter((word) => !kept.has(word))).toEqual([]);

  expect(await service.kill('SIGTERM')).toBe(0);
  await vi.waitFor(() => expect(serversIn(cluster)).toEqual([]), { timeout: 300_000, interval: 50 });
});
