import { sql } from 'kysely';
import { embedWaiting } from '../../src/memory/embedding/embedding-worker.ts';
import { directionOf } from '../../src/store/memory/stored-vectors.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';

/** Fields of an imported judgment; `judge` fills in the rest. */
export interface Judged {
  id?: string;
  organizationId?: string;
  decision?: string;
  reasoning?: string;
  content?: string;
  contentType?: string;
  by?: string;
  agent?: object;
  createdAt?: number;
}

/** Imports judgments, 500 per call. */
export async function judge(w: TestWorkspace, judgments: readonly Judged[]): Promise<void> {
  for (let from = 0; from < judgments.length; from += 500) {
    const { body } = await w.post('/v2/memory/judgments/add', {
      judgments: judgments.slice(from, from + 500).map(({ by = 'ana', agent, ...judgment }) => ({
        decision: 'approve',
        reasoning: 'Fine.',
        ...judgment,
        ...(agent && { agent, judgeType: 'agent' }),
        actionUser: { userId: by, name: `Name of ${by}`, email: `${by}@example.com` },
      })),
    });
    if (body.result?.failed.length !== 0) throw new Error(JSON.stringify(body));
  }
}

/** A workspace with imported judgments, embedded by the service's own model. */
export async function remembering(judgments: readonly object[]): Promise<TestWorkspace> {
  const w = await newWorkspace();
  const { body } = await w.post('/v2/memory/judgments/add', { judgments });
  if (body.result?.failed.length !== 0) throw new Error(JSON.stringify(body));
  await embedWaiting((await testApp()).deps, w);
  return w;
}

/** Stores the given vectors for judgments, by their ids, as if a model had embedded them. */
export async function giveVectors(w: TestWorkspace, vectors: Record<string, number[]>): Promise<void> {
  const { deps } = await testApp();
  const ids = Object.keys(vectors);
  const directions = Object.values(vectors).map(directionOf);
  const given = sql`unnest(cast(${ids} as text[]), cast(${directions} as bytea[])) as item(id, direction)`;
  await sql`
    insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, model, embedding)
    select api_key_id, judgment_id, kind.name, 0, 'made-up', direction
    from judgments join ${given} on judgments.judgment_id = item.id
      cross join (values ('review'), ('content')) as kind(name)
    where api_key_id = ${w.apiKeyId} and (kind.name = 'review' or content is not null)
    on conflict do nothing`.execute(deps.db);
  await sql`
    update judgments set embedded_with = 'made-up' from ${given}
    where api_key_id = ${w.apiKeyId} and judgments.judgment_id = item.id`.execute(deps.db);
}
