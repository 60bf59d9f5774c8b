import { sql } from 'kysely';
import { json } from '../src/db/sql-fragments.ts';
import type { Db } from '../src/db/tables.ts';
import type { Scope } from '../src/lib/scope.ts';
import { wordsOf } from '../src/lib/text/search-words.ts';
import { searchableText } from '../src/memory/embedding/searchable-text.ts';
import type { Embedder } from '../src/outside/embed/vectors/embedder.ts';
import { directionOf } from '../src/store/memory/stored-vectors.ts';

/** Pseudorandom numbers from 0 to 1, reproducible by their seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const subjects =
  'button label heading banner link form field image caption table modal menu price quote footer logo video chart card tooltip'.split(
    ' ',
  );
const faults =
  'contrast too low|missing alternative text|wrong term|unclear wording|broken target|no visible focus|outdated figure|off brand tone|slow to load|leaks an address|lacks a consent notice|duplicate title|too long for small screens|claims more than is known|mixes two languages'.split(
    '|',
  );
const places =
  'checkout pricing home account search blog help terms privacy signup cart profile invoice report settings'.split(
    ' ',
  );
const reasons =
  'we agreed on this with legal|readers stop here|the style guide says so|it fails the audit|customers asked about it|the rest of the site differs|it was fixed last month|a test showed it|it is by design|marketing wants it'.split(
    '|',
  );
const decisions = ['approve', 'reject', 'comment', 'resolve', 'agree', 'disagree'];

export interface BenchJudgment {
  judgmentId: string;
  organizationId: string;
  documentId: string;
  decision: string;
  reasoning: string;
  content: string;
}

/** Judgments on random topics, dealt to the organizations in turn; one in ten has a unique number. */
export function benchJudgments(count: number, organizations: number, seed = 1): BenchJudgment[] {
  const random = randomNumbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  return Array.from({ length: count }, (_, index) => {
    const subject = pick(subjects);
    const fault = pick(faults);
    const place = pick(places);
    const number = index % 10 === 0 ? ` See ERR-${10_000 + index}.` : '';
    return {
      judgmentId: `jdg_${String(index).padStart(8, '0')}`,
      organizationId: `organization-${index % organizations}`,
      documentId: `document-${index % (organizations * 10)}`,
      decision: pick(decisions),
      reasoning: `The ${subject} on the ${place} page: ${fault}, and ${pick(reasons)}.${number}`,
      content: `${place} ${subject} ${pick(subjects)} ${pick(places)} ${fault}`,
    };
  });
}

/**
 * Approximate embeddings of judgments, among which those of queries fall. The model embeds only each distinct topic
 * and reason; the vector of a judgment is their weighted sum with random noise, scaled to length 1.
 */
export async function vectorsNear(
  judgments: readonly { reasoning: string }[],
  embedder: Embedder,
  seed = 7,
): Promise<Float32Array[]> {
  const random = randomNumbers(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const partsOf = ({ reasoning }: { reasoning: string }) =>
    reasoning.replace(/ See .*/, '').split(', and ', 2);
  const texts = [...new Set(judgments.flatMap(partsOf))];
  const embedded = new Map<string, Float32Array>();
  for (let at = 0; at < texts.length; at += 64) {
    const part = texts.slice(at, at + 64);
    for (const [index, [vector]] of (await embedder.embed(part)).entries())
      embedded.set(part[index]!, vector!);
  }
  return judgments.map((judgment) => {
    const [topicVector, reasonVector] = partsOf(judgment).map((text) => embedded.get(text)!);
    const noiseScale = 0.35 / Math.sqrt(topicVector!.length);
    const sum = topicVector!.map(
      (value, index) => value + 0.3 * reasonVector![index]! + noiseScale * normal(),
    );
    const length = Math.sqrt(sum.reduce((all, value) => all + value * value, 0));
    return sum.map((value) => value / length);
  });
}

/** Inserts judgments with their words and with vectors of one kind or both, 1,000 per statement. */
export async function fillJudgments(
  db: Db,
  { apiKeyId }: Scope,
  judgments: readonly BenchJudgment[],
  model: string,
  vectors: readonly Float32Array[],
  contentVectors: readonly Float32Array[] = [],
): Promise<void> {
  for (let at = 0; at < judgments.length; at += 1_000) {
    const part = judgments.slice(at, at + 1_000).map((judgment, index) => ({
      ...judgment,
      createdAt: 1_700_000_000_000 + (at + index) * 60_000,
      reviewWords: wordsOf(searchableText(judgment, 'review')!),
      contentWords: wordsOf(judgment.content),
    }));
    await sql`
      with items as materialized (
        select * from jsonb_to_recordset(${json(part)}) as item("judgmentId" text, "organizationId" text,
          "documentId" text, decision text, reasoning text, content text, "createdAt" bigint,
          "reviewWords" text[], "contentWords" text[])),
      written as (
        insert into judgments (api_key_id, judgment_id, organization_id, document_id, origin, decision, reasoning,
          content, judge_type, reviewer_id, action_user, created_at, recorded_at, review_words, content_words,
          embedded_with)
        select ${apiKeyId}, "judgmentId", "organizationId", "documentId", 'import', decision, reasoning, content,
          'human', 'user-1', '{"userId":"user-1"}', "createdAt", "createdAt", array_to_tsvector("reviewWords"),
          array_to_tsvector("contentWords"), ${model}
        from items)
      insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, model, embedding)
      select ${apiKeyId}, id, 'review', 0, ${model}, embedding
      from unnest(cast(${part.map(({ judgmentId }) => judgmentId)} as text[]),
        cast(${part.map((_, index) => directionOf(vectors[at + index]!))} as bytea[])) as item(id, embedding)`.execute(
      db,
    );
    if (contentVectors.length > 0)
      await sql`
        insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, model, embedding)
        select ${apiKeyId}, id, 'content', 0, ${model}, embedding
        from unnest(cast(${part.map(({ judgmentId }) => judgmentId)} as text[]),
          cast(${part.map((_, index) => directionOf(contentVectors[at + index]!))} as bytea[])) as item(id, embedding)`.execute(
        db,
      );
  }
  await sql`analyze judgments`.execute(db);
  await sql`analyze judgment_vectors`.execute(db);
}
