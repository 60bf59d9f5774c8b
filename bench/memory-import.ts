import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newDatabase, newKey, post, quantile, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import { benchJudgments } from './judgment-rows.ts';

// Measures the time from the first request of an import of judgments until the last of them is found by its meaning,
// and the latency of another API key's requests during the import, compared with those before it. Uses the server of
// DATABASE_URL, or an embedded PostgreSQL.
const JUDGMENTS = Number(process.env.JUDGMENTS ?? 10_000);
const BATCH_SIZE = 500;
const BASELINE_MS = Number(process.env.QUIET_MS ?? 15_000);
/** A low rate, so that requests hardly ever wait for each other. */
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

  const callMemory = async (path: string, data: object) => {
    const { statusCode, body } = await service.request({
      method: 'POST',
      path,
      headers: importer.headers,
      body: JSON.stringify({ data }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
    const response = (await body.json()) as any;
    if (statusCode !== 200) throw new Error(`${path}: ${JSON.stringify(response)}`);
    return response.result;
  };

  let isProbing = true;
  const times: { at: number; name: string; ms: number }[] = [];
  const probe = async () => {
    const running: Promise<void>[] = [];
    for (let turn = 0; isProbing; turn++) {
      const isRead = turn % 2 === 0;
      const sentAt = performance.now();
      const request = isRead
        ? post(service, '/v2/organizations/documents/get', { organizationId: 'acme' }, other.headers)
        : post(
            service,
            '/v2/commentannotations/comments/add',
            { ...place, annotationId: threads[turn % threads.length], commentData },
            other.headers,
          );
      running.push(
        request.then(() => {
          const name = isRead ? 'documents/get' : 'comments/add';
          times.push({ at: sentAt, name, ms: performance.now() - sentAt });
        }),
      );
      await sleep(PROBE_EVERY_MS);
    }
    await Promise.all(running);
  };
  const probed = probe();
  // The service warms up: its first requests are slow, and the first judgment of a comment loads the model.
  await sleep(8_000);
  const baselineFrom = performance.now();
  await sleep(BASELINE_MS);

  const startedAt = performance.now();
  const judgments = benchJudgments(JUDGMENTS, 20).map((judgment, index) => ({
    id: `judgment-${String(index).padStart(6, '0')}`,
    organizationId: judgment.organizationId,
    documentId: judgment.documentId,
    decision: judgment.decision,
    reasoning: index === JUDGMENTS - 1 ? MARK : judgment.reasoning,
    content: judgment.content ?? judgment.reasoning,
    actionUser: { userId: 'ada', name: 'Ada' },
  }));
  for (let at = 0; at < judgments.length; at += BATCH_SIZE) {
    const { failed } = await callMemory('/v2/memory/judgments/add', {
      judgments: judgments.slice(at, at + BATCH_SIZE),
    });
    if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
  }
  const writtenAt = performance.now();
  // Searches only the document of the last judgment, so that polling adds little load.
  const { organizationId, documentId } = judgments.at(-1)!;
  for (;;) {
    const { results } = await callMemory('/v2/memory/search', {
      query: MARK,
      organizationId,
      documentId,
      limit: 1,
    });
    // The judgments of an API key are embedded in the order of their ids, so all are found once the last one is.
    if (results[0]?.recordId === judgments.at(-1)!.id && results[0].similarity > 0.5) break;
    await sleep(500);
  }
  const foundAt = performance.now();
  isProbing = false;
  await probed;

  report({
    name: `${JUDGMENTS} judgments imported and found by meaning, ${kind}`,
    value: (foundAt - startedAt) / 1_000,
    unit: 's',
  });
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  console.log(
    `${kind}: ${JUDGMENTS} judgments written after ${seconds(writtenAt - startedAt)} s, all found by meaning after ${seconds(
      foundAt - startedAt,
    )} s`,
  );
  for (const name of ['documents/get', 'comments/add']) {
    const timesBetween = (since: number, until: number) =>
      times
        .filter((sample) => sample.name === name && sample.at >= since && sample.at < until)
        .map(({ ms }) => ms);
    const [baseline, during] = [timesBetween(baselineFrom, startedAt), timesBetween(startedAt, foundAt)];
    for (const share of [0.5, 0.99]) {
      const [a, b] = [quantile(baseline, share), quantile(during, share)];
      console.log(
        `  ${name} p${share * 100}: ${a.toFixed(1)} ms before, ${b.toFixed(1)} ms during, ratio ${(b / a).toFixed(2)}`,
      );
    }
  }
} finally {
  stopAll();
}
