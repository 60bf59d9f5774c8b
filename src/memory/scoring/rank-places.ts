import { LARGE } from '../../store/memory/vector-indexes.ts';
import { cachedWindows, compareWindows } from './compare-judgments.ts';
import type { JudgmentCache } from './judgment-cache.ts';
import type { JudgmentCaches } from './judgment-caches.ts';
import { nearerOf, pairsToCompare, relevantIn, type SearchedPlace } from './links.ts';
import type { RankedPlace, Ranking } from './packed-ranking.ts';
import { rankExactly } from './rank-exactly.ts';
import { numbersIn, scanCache } from './scan-cache.ts';
import type { PlacesQuery } from './scorer.ts';

/**
 * Finds the relevant judgments of several places by both kinds of text, in one reading of what changed. Undefined if the
 * caches alone cannot tell: they are not loaded, lack exact vectors or are so large that indexes may preselect, or some
 * judgments have vectors of another model.
 */
export async function rankPlaces(
  caches: JudgmentCaches,
  question: PlacesQuery,
  signal: AbortSignal,
): Promise<RankedPlace[] | undefined> {
  const { apiKeyId } = question;
  if (!caches.loaded(apiKeyId, 'content') || !caches.loaded(apiKeyId, 'review')) return undefined;
  const [content, review] = await Promise.all([
    caches.current(apiKeyId, 'content'),
    caches.current(apiKeyId, 'review'),
  ]);
  signal.throwIfAborted();
  if (!content?.hasExactVectors || !review?.hasExactVectors) return undefined;
  if (Math.max(content.length, review.length) > LARGE) return undefined;
  const [ofContent, ofReview] = [rankNested(content, question), rankNested(review, question)];
  if (!ofContent || !ofReview) return undefined;
  const searched: SearchedPlace[] = ofContent.map((ranking, index) => {
    const rankings = [ranking, ofReview[index]!];
    return { inScope: Math.max(ranking.total, ofReview[index]!.total), similarities: nearerOf(rankings) };
  });
  const pairs = pairsToCompare(searched);
  const windows = cachedWindows({ content, review }, [...new Set([...pairs.from, ...pairs.to])]);
  if (!windows) return undefined;
  const relevant = relevantIn(searched, pairs, compareWindows(windows, pairs.from, pairs.to));
  return searched.map(({ inScope }, index) => ({ inScope, relevant: relevant[index]! }));
}

/** Rankings of the places by one kind of text. */
function rankNested(
  cache: JudgmentCache,
  { places, filters, words, vector, limit }: PlacesQuery,
): Ranking[] | undefined {
  const rankings: Ranking[] = [];
  for (const place of places) {
    const numbers = numbersIn(cache, place, filters);
    const narrower = rankings.at(-1);
    // As many judgments as in the place within it are the same ones.
    if (narrower?.total === numbers.length) {
      rankings.push(narrower);
      continue;
    }
    const scan = scanCache(cache, { words, vectors: [vector], limit }, numbers);
    if (scan.models.some((model) => model !== '' && model !== vector.model)) return undefined;
    const ranking = rankExactly(cache, { vectors: [vector], limit }, scan);
    if (!ranking) return undefined;
    rankings.push(ranking);
  }
  return rankings;
}
