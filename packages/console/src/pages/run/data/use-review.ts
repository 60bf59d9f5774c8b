import type { Redpen, ReviewRecord } from '@redpen/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { askOnce, isAway, pause } from '../../../data/ask-once.ts';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { useKey, useRedpen } from '../../../session/session.tsx';

const WAIT_MS = 20_000;
const AWAY_MS = 500;

const ask = async (redpen: Redpen, data: object, signal: AbortSignal): Promise<ReviewRecord> =>
  (await askOnce<{ review: ReviewRecord }>(redpen, '/v2/reviews/get', data, signal)).review;

/**
 * A review, which is followed until it has ended: the service answers when something has changed. While the service is
 * away it is asked again, from the revision that is known.
 */
export function useReview(reviewId: string) {
  const redpen = useRedpen();
  const queries = useQueryClient();
  const { apiKeyId } = useKey().key;
  const [isServiceAway, setAway] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const query = useKeyQuery(
    ['review', reviewId],
    async (client, signal) => (await client.reviews.get({ reviewId }, { signal })).review,
  );
  const isRunning = query.data?.status === 'running';
  useEffect(() => {
    if (!isRunning) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    const key = [apiKeyId, 'review', reviewId];
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          const seen = queries.getQueryData<ReviewRecord>(key)?.revision;
          const review = await ask(redpen, { reviewId, seen, waitMs: WAIT_MS }, signal);
          setAway(false);
          if (!signal.aborted) queries.setQueryData(key, review);
        } catch (error) {
          if (signal.aborted) return;
          if (!isAway(error)) return setFailure(error);
          setAway(true);
          await pause(AWAY_MS, signal);
        }
      }
    };
    void follow();
    return () => stopping.abort();
  }, [isRunning, reviewId, apiKeyId, redpen, queries]);
  return { query, isAway: isServiceAway && isRunning, failure };
}
