import type { Db } from '../../db/tables.ts';
import { type Lease, renewLease } from '../../store/memory/consolidations.ts';
import { contentVectors, leadingModel } from '../../store/memory/insight-queries.ts';
import { deleteOtherProfiles, writeProfiles } from '../../store/memory/profiles.ts';
import { vectorFrom } from '../../store/memory/stored-vectors.ts';
import { predictionAccuracy } from './predict-decision.ts';
import { type Checkpoint, readHumanJudgments } from './read-judgments.ts';
import { addJudgment, isPredictable, type ProfileStats, profileOf } from './reviewer-profile.ts';

/** Limit of profiles; the most recently active reviewers keep theirs. */
const MAX_PROFILES = 2_000;
/** Limit of reviewers whose predictability is measured, those with most judgments. */
const MAX_MEASURED = 100;
const BATCH_SIZE = 100;

/** Builds the profiles of an API key's reviewers from their judgments. Returns their number. */
export async function buildProfiles(
  db: Db,
  lease: Lease,
  { checkpoint, now }: { checkpoint: Checkpoint; now: number },
): Promise<number> {
  const stats = new Map<string, ProfileStats>();
  for await (const row of readHumanJudgments(db, lease, checkpoint)) addJudgment(stats, row, now);
  // In order of last activity.
  const people = [...stats.values()].slice(0, MAX_PROFILES);
  const accuracies = await measurePredictability(db, lease, people, checkpoint);
  const profiles = people.map((one) => ({
    judgmentId: one.judgmentId,
    profile: profileOf(one, accuracies.get(one.userId) ?? null, now),
  }));
  for (let from = 0; from < profiles.length; from += BATCH_SIZE) {
    await db.transaction().execute(async (tx) => {
      await renewLease(tx, lease);
      await writeProfiles(tx, lease, profiles.slice(from, from + BATCH_SIZE));
    });
    await checkpoint();
  }
  await db.transaction().execute(async (tx) => {
    await renewLease(tx, lease);
    await deleteOtherProfiles(
      tx,
      lease,
      people.map(({ userId }) => userId),
    );
  });
  return profiles.length;
}

async function measurePredictability(
  db: Db,
  lease: Lease,
  people: readonly ProfileStats[],
  checkpoint: Checkpoint,
): Promise<Map<string, number | null>> {
  const accuracies = new Map<string, number | null>();
  const predictable = people
    .filter((one) => isPredictable(one) && one.sampledDecisions.length > 0)
    .toSorted((a, b) => b.all.judgments - a.all.judgments)
    .slice(0, MAX_MEASURED);
  const model = predictable.length > 0 ? await leadingModel(db, lease, '') : undefined;
  if (model === undefined) return accuracies;
  for (const { userId, sampledDecisions: decisions } of predictable) {
    const ids = decisions.map(({ judgmentId }) => judgmentId);
    const directions = await contentVectors(db, lease, ids, model);
    const vectors = new Map([...directions].map(([id, direction]) => [id, vectorFrom(direction)]));
    accuracies.set(userId, predictionAccuracy(decisions, vectors));
    await checkpoint();
  }
  return accuracies;
}
