import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newDatabase, newKey, post, quantile, start, stopAll } from './closed-loop.ts';
import { benchJudgments } from './judgment-rows.ts';

// How long judgments take from the first request of their import until the last of them is found by its meaning, and
// what another API key's requests take meanwhile, against the same requests of the same service before; on the server
// of DATABASE_URL, or on the PostgreSQL that comes along.
const JUDGMENTS = Number(process.env.JUDGMENTS ?? 10_000);
const AT_ONCE = 500;
const QUIET_MS = Number(process.env.QUIET_MS ?? 15_000);
/** Gentle, so that requests hardly meet each other. */
const PROBE_EVERY_MS = 25;
const MARK = 'The zebra crossing in the harbour illustration has eleven stripes.';

const kind = process.env.DATABASE_URL ? 'PostgreSQL' : 'embedded';
const databaseUrl = process.env.DATABASE_URL ? await newDatabase('memory_import') : undefined;

try {
  const service = new Pool(
    await start('src/main.ts', {
      PORT: '0',
      DATABASE_URL: databaseUrl,
      REDPEN_DATA_DIR: mkdtempSync(join(tmpdir(), 'redpen-bench-')),
      REDPEN_WORKSPACE_RATE: '1000000',
    }),
    { connections: 16 },
  );
  const importer = await newKey(service);
  const other = await newKey(service);
  const place = { organizationId: 'acme', documentId: 'home' };
  const from = { userId: 'ada', name: 'Ada' };
  const commentData = [{ commentText: 'The headline could be shorter.', from }];
  await post(
    service,
    '/v2/organizations/documents/add',
    { organizationId: 'acme', documents: [place] },
    other.headers,
  );
  const threads = Array.from({ length: 50 }, (_, index) => `thread-${index}`);
  await post(
    service,
    '/v2/commentannotations/add',
    { ...place, commentAnnotations: threads.map((annotationId) => ({ annotationId, commentData })) },
    other.headers,
  );

  const bare = async (path: string, data: object) => {
    const { statusCode, body } = await service.request({
      method: 'POST',
      path,
      headers: importer.headers,
      body: JSON.stringify({ data }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
    const answer = (await body.json()) as any;
    if (statusCode !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.result;
  };

  let probing = true;
  const times: { at: number; name: string; ms: number }[] = [];
  const probe = async () => {
    const running: Promise<void>[] = [];
    for (let turn = 0; probing; turn++) {
      const isRead = turn % 2 === 0;
      const began = performance.now();
      const asked = isRead
        ? post(service, '/v2/organizations/documents/get', { organizationId: 'acme' }, other.headers)
        : post(
            service,
            '/v2/commentannotations/comments/add',
            { ...place, annotationId: threads[turn % threads.length], commentData },
            other.headers,
          );
      running.push(
        asked.then(() => {
          const name = isRead ? 'documents/get' : 'comments/add';
          times.push({ at: began, name, ms: performance.now() - began });
        }),
      );
      await sleep(PROBE_EVERY_MS);
    }
    await Promise.all(running);
  };
  const probed = probe();
  // Its first requests find nothing warm, and the first judgments of comments load the model.
  await sleep(8_000);
  const quietFrom = performance.now();
  await sleep(QUIET_MS);

  const began = performance.now();
  const judgments = benchJudgments(JUDGMENTS, 20).map((judgment, index) => ({
    id: `judgment-${String(index).padStart(6, '0')}`,
    organizationId: judgment.organizationId,
    documentId: judgment.documentId,
    decision: judgment.decision,
    reasoning: index === JUDGMENTS - 1 ? MARK : judgment.reasoning,
    content: judgment.content ?? judgment.reasoning,
    actionUser: { userId: 'ada', name: 'Ada' },
  }));
  for (let at = 0; at < judgments.length; at += AT_ONCE) {
    const { failed } = await bare('/v2/memory/judgments/add', {
      judgments: judgments.slice(at, at + AT_ONCE),
    });
    if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
  }
  const written = performance.now();
  // Looked for where the last one lies, so that the looking does not add to what is measured.
  const { organizationId, documentId } = judgments.at(-1)!;
  for (;;) {
    const { results } = await bare('/v2/memory/search', {
      query: MARK,
      organizationId,
      documentId,
      limit: 1,
    });
    // Those of a key are embedded in the order of their ids, so that the last one is the last.
    if (results[0]?.recordId === judgments.at(-1)!.id && results[0].similarity > 0.5) break;
    await sleep(500);
  }
  const found = performance.now();
  probing = false;
  await probed;

  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  console.log(
    `${kind}: ${JUDGMENTS} judgments written after ${seconds(written - began)} s, all found by their meaning after ${seconds(
      found - began,
    )} s`,
  );
  for (const name of ['documents/get', 'comments/add']) {
    const of = (since: number, until: number) =>
      times.filter((one) => one.name === name && one.at >= since && one.at < until).map(({ ms }) => ms);
    const [quiet, busy] = [of(quietFrom, began), of(began, found)];
    for (const share of [0.5, 0.99]) {
      const [a, b] = [quantile(quiet, share), quantile(busy, share)];
      console.log(
        `  ${name} p${share * 100}: ${a.toFixed(1)} ms without, ${b.toFixed(1)} ms during, ratio ${(b / a).toFixed(2)}`,
      );
    }
  }
} finally {
  stopAll();
}
