import type { Review, ReviewEvent, ReviewFinding } from '@redpen/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useRedpen } from '../../../session/session.tsx';

interface Ended {
  verdict: string | undefined;
  findings: ReviewFinding[];
  error: string | undefined;
  durationMs: number | null;
  heldBack: number;
}

export interface Trial {
  reviewId: string | undefined;
  log: readonly ReviewEvent[];
  ended: Ended | undefined;
  failure: unknown;
  isRunning: boolean;
}

const NONE: Trial = { reviewId: undefined, log: [], ended: undefined, failure: undefined, isRunning: false };

async function readEnd(review: Review, signal: AbortSignal): Promise<Ended> {
  const { runs, findings, review: record } = await review.result({ signal });
  const execution = runs[0]?.execution;
  return {
    verdict: record?.verdict ?? execution?.verdict,
    findings,
    error: execution?.error?.message,
    durationMs: execution?.durationMs ?? null,
    heldBack: execution?.resultsSummary.heldBack ?? 0,
  };
}

/** Runs an agent on a page, and shows its log while it runs and its findings at the end. */
export function useTrial() {
  const redpen = useRedpen();
  const [trial, setTrial] = useState<Trial>(NONE);
  const stop = useRef<AbortController>(undefined);
  const running = useRef<Review>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const start = useCallback(
    async (prepare: () => Promise<{ agentId: string; url: string; variables: Record<string, string> }>) => {
      stop.current?.abort();
      const controller = new AbortController();
      stop.current = controller;
      const { signal } = controller;
      const change = (next: Partial<Trial>): void => {
        if (!signal.aborted) setTrial((before) => ({ ...before, ...next }));
      };
      setTrial({ ...NONE, isRunning: true });
      try {
        const { agentId, url, variables } = await prepare();
        const review = await redpen.reviews.run({ urls: [url], agents: [agentId], variables }, { signal });
        running.current = review;
        change({ reviewId: review.reviewId });
        for await (const event of review.events({ signal }))
          setTrial((before) => (signal.aborted ? before : { ...before, log: [...before.log, event] }));
        change({ ended: await readEnd(review, signal), isRunning: false });
      } catch (failure) {
        change({ failure, isRunning: false });
      }
    },
    [redpen],
  );
  const cancel = useCallback(async () => void (await running.current?.cancel('Stopped in the console.')), []);
  return { trial, start, cancel };
}
