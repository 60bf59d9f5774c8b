import type { Finding, FindingRecord, Redpen, ReviewRecord } from '@redpen/client';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { askOnce, isAway } from '../../../data/ask-once.ts';
import { useRedpen } from '../../../session/session.tsx';
import { asSeenBy, RunRecords } from './run-records.ts';

const EVERY = {
  decision: ['undecided', 'accepted', 'rejected', 'resolved'],
  state: ['new', 'still_there', 'fixed'],
};

/** Reads a list to its end. */
async function readAll<T>(redpen: Redpen, path: string, data: object, signal: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  let pageToken: string | undefined;
  do {
    const page = await askOnce<{ findings: T[]; nextPageToken?: string }>(
      redpen,
      path,
      { ...data, pageSize: 500, ...(pageToken && { pageToken }) },
      signal,
    );
    all.push(...page.findings);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return all;
}

async function readRun(redpen: Redpen, executionId: string, signal: AbortSignal): Promise<FindingRecord[]> {
  const records = await readAll<FindingRecord>(
    redpen,
    '/v2/agents/findings/list',
    { executionId, ...EVERY },
    signal,
  );
  const isSeenLater = records.some((record) => record.executionId !== executionId);
  if (!isSeenLater) return records;
  const path = '/v2/agents/execution/findings';
  return asSeenBy(records, await readAll<Finding>(redpen, path, { executionId }, signal));
}

/** The findings of all runs of a review, while they are being found. */
export function useRunRecords(review: ReviewRecord) {
  const redpen = useRedpen();
  const records = useMemo(
    () => new RunRecords({ load: (id, signal) => readRun(redpen, id, signal), isAway }),
    [redpen],
  );
  useEffect(() => {
    records.start();
    return () => records.stop();
  }, [records]);
  useEffect(() => records.follow(review.executions), [records, review.executions]);
  return useSyncExternalStore(records.subscribe, records.get);
}
