import type { Db } from '../../db/tables.ts';
import { type Lease, renewLease } from '../../store/memory/consolidations.ts';
import { contentVectors, leadingModel } from '../../store/memory/insight-queries.ts';
import { keepProfiles, writeProfiles } from '../../store/memory/profiles.ts';
import { vectorFrom } from '../../store/memory/stored-vectors.ts';
import { predictionAccuracy } from './predict-decision.ts';
import { addJudgment, isPredictable, type ProfileStats, profileOf } from './profile.ts';
import { type Pause, readHumanJudgments } from './read-judgments.ts';

/** The people who judged last; of others no profile is kept. */
const MAX_PROFILES = 2_000;
/** Of those with most judgments it is tried whether they can be foretold. */
const MAX_TWINS = 100;
const AT_ONCE = 100;

/** Makes profiles of the people of an API key from their judgments; answers how many there are. */
export async function buildProfiles(
  db: Db,
  lease: Lease,
  { pause, now }: { pause: Pause; now: number },
): Promise<number> {
  const portraits = new Map<string, ProfileStats>();
  for await (const row of readHumanJudgments(db, lease, pause)) addJudgment(portraits, row, now);
  // Whoever judged last comes first already.
  const people = [...portraits.values()].slice(0, MAX_PROFILES);
  const accuracies = await foretell(db, lease, people, pause);
  const profiles = people.map((portrait) => ({
    judgmentId: portrait.judgmentId,
    profile: profileOf(portrait, accuracies.get(portrait.userId) ?? null, now),
  }));
  for (let from = 0; from < profiles.length; from += AT_ONCE) {
    await db.transaction().execute(async (tx) => {
      await renewLease(tx, lease);
      await writeProfiles(tx, lease, profiles.slice(from, from + AT_ONCE));
    });
    await pause();
  }
  await db.transaction().execute(async (tx) => {
    await renewLease(tx, lease);
    await keepProfiles(
      tx,
      lease,
      people.map(({ userId }) => userId),
    );
  });
  return profiles.length;
}

async function foretell(
  db: Db,
  lease: Lease,
  people: readonly ProfileStats[],
  pause: Pause,
): Promise<Map<string, number | null>> {
  const accuracies = new Map<string, number | null>();
  const tried = people
    .filter((portrait) => isPredictable(portrait) && portrait.tried.length > 0)
    .toSorted((a, b) => b.all.judgments - a.all.judgments)
    .slice(0, MAX_TWINS);
  const model = tried.length > 0 ? await leadingModel(db, lease, '') : undefined;
  if (model === undefined) return accuracies;
  for (const { userId, tried: decisions } of tried) {
    const ids = decisions.map(({ judgmentId }) => judgmentId);
    const directions = await contentVectors(db, lease, ids, model);
    const vectors = new Map([...directions].map(([id, direction]) => [id, vectorFrom(direction)]));
    accuracies.set(userId, predictionAccuracy(decisions, vectors));
    await pause();
  }
  return accuracies;
}
