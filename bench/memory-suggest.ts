import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Pool } from 'undici';
import { newDatabase, newKey, post, quantile, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import { topicsToLearnFrom, topicsToMeasure } from './memory-topics.ts';
import {
  type Answered,
  makeWorld,
  type Question,
  type Side,
  scoresOf,
  type WorldSettings,
} from './memory-worlds.ts';

// Measures the quality and latency of memory/suggest over the API, with judgments of scripted reviewers. The
// reference is the plain majority of the ten nearest judgments by cosine, with its share as its confidence. Uses the
// PostgreSQL of DATABASE_URL.
const databaseUrl = await newDatabase('memory_suggest');
const SEEDS = Number(process.env.SEEDS ?? 4);
const ordinary = {
  faith: 0.95,
  reviewers: 5,
  judgments: [4, 10],
  days: 300,
  afterChange: 0.45,
  withoutContent: 0.3,
} as const;
const settings: Record<string, Omit<WorldSettings, 'seed'>> = {
  ordinary,
  'less faithful': { ...ordinary, faith: 0.85 },
  'many judgments': { ...ordinary, judgments: [10, 20] },
  'many reviewers': { ...ordinary, reviewers: 12, days: 40 },
};
const topics = { 'fitted on': topicsToLearnFrom, unseen: topicsToMeasure };

const client = new pg.Client(databaseUrl);
try {
  const url = await start('src/main.ts', {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    REDPEN_DATA_DIR: mkdtempSync(join(tmpdir(), 'redpen-bench-')),
    REDPEN_WORKSPACE_RATE: '1000000',
  });
  const service = new Pool(url, { connections: 4 });
  await client.connect();
  const table: Record<string, Record<string, number>> = {};
  const times: number[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    for (const [topicSet, topicList] of Object.entries(topics)) {
      const suggested: Answered[] = [];
      const baseline: Answered[] = [];
      for (let seed = 1; seed <= SEEDS; seed++) {
        const { judgments, questions } = makeWorld(topicList, { ...setting, seed }, Date.now());
        const { headers } = await newKey(service);
        await post(service, '/v2/memory/judgments/add', { judgments }, headers);
        await waitUntilEmbedded();
        for (const question of questions) {
          const startedAt = performance.now();
          const { primary, conflict } = await callMemory(
            service,
            '/v2/memory/suggest',
            { query: question.query },
            headers,
          );
          times.push(performance.now() - startedAt);
          suggested.push({
            question,
            recommended: primary?.recommendation ?? null,
            confidence: primary?.confidence ?? 0,
            conflict: conflict !== null,
          });
          baseline.push(await majorityOfTen(service, question, headers));
        }
      }
      table[`${name}, ${topicSet}: suggest`] = rounded(scoresOf(suggested));
      table[`${name}, ${topicSet}: majority of ten`] = rounded(scoresOf(baseline));
    }
  }
  console.table(table);
  report({ name: 'memory/suggest, p50', value: quantile(times, 0.5), unit: 'ms' });
  console.log(
    `suggest: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  );
} finally {
  await client.end();
  stopAll();
}

/** Waits until all judgments are embedded. */
async function waitUntilEmbedded(): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select count(*) as left from judgments where embedded_with = ''");
    if (Number(rows[0].left) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function callMemory(
  service: Pool,
  path: string,
  data: object,
  headers: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: responses of several shapes.
): Promise<any> {
  const { statusCode, body } = await service.request({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify({ data }),
  });
  // Memory operations respond in `result` itself, not in `result.data`.
  const response = (await body.json()) as { result: unknown };
  if (statusCode !== 200) throw new Error(`${path}: ${JSON.stringify(response)}`);
  return response.result;
}

async function majorityOfTen(
  service: Pool,
  question: Question,
  headers: Record<string, string>,
): Promise<Answered> {
  const found = new Map<string, { side: Side; similarity: number }>();
  for (const embeddingType of ['review', 'content']) {
    const data = { query: question.query, embeddingType, limit: 50 };
    const { results } = await callMemory(service, '/v2/memory/search', data, headers);
    for (const { recordId, decision, similarity } of results) {
      const side: Side = ['approve', 'agree', 'endorse'].includes(decision) ? 'approve' : 'reject';
      if ((found.get(recordId)?.similarity ?? -1) < similarity) found.set(recordId, { side, similarity });
    }
  }
  const ten = [...found.values()].sort((a, b) => b.similarity - a.similarity).slice(0, 10);
  const approving = ten.filter(({ side }) => side === 'approve').length;
  const majority = Math.max(approving, ten.length - approving);
  return {
    question,
    recommended: approving * 2 >= ten.length ? 'approve' : 'reject',
    confidence: majority / ten.length,
    conflict: ten.length - majority >= 2,
  };
}

function rounded(scores: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, Number(score.toFixed(3))]));
}
