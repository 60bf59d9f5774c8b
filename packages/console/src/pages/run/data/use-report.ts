import type { ReviewRecord } from '@redpen/client';
import { useEffect, useRef, useState } from 'react';
import type { Report } from '../../../../../../src/report/report.ts';
import { isAway, readJson } from '../../../data/ask-once.ts';
import { useRedpen } from '../../../session/session.tsx';

/** What the page shows of a report. Its findings are those of the runs, merged. */
export type RunReport = Pick<Report, 'pages' | 'fixed' | 'notes' | 'agents' | 'rules'>;

/** The pictures of a running review are looked for this often at most. */
const PAUSE_MS = 700;

/** The report on a review: its pages with their pictures, read again when pages are done. */
export function useReport(review: ReviewRecord): { report: RunReport | undefined; failure: unknown } {
  const redpen = useRedpen();
  const { urlsProcessed, urlsPlanned } = review.progress;
  const token = `${review.id} ${review.status} ${urlsProcessed} ${urlsPlanned}`;
  const [loaded, setLoaded] = useState<{ token: string; report?: RunReport; failure?: unknown }>();
  const [turn, setTurn] = useState(0);
  const isBusy = useRef(false);
  const isEnded = review.status === 'ended';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn begins when the last one is over.
  useEffect(() => {
    if (isBusy.current || loaded?.token === token) return;
    isBusy.current = true;
    const path = `/v2/reviews/${encodeURIComponent(review.id)}/report?format=json`;
    const next = (ms: number): void => {
      setTimeout(() => {
        isBusy.current = false;
        setTurn((one) => one + 1);
      }, ms);
    };
    readJson<Report>(redpen, path).then(
      ({ pages, fixed, notes, agents, rules }) => {
        setLoaded({ token, report: { pages, fixed, notes, agents, rules } });
        next(isEnded ? 0 : PAUSE_MS);
      },
      (failure: unknown) => {
        if (!isAway(failure))
          setLoaded((before) => ({ token, ...(before?.report && { report: before.report }), failure }));
        next(1_000);
      },
    );
  }, [token, loaded, turn, redpen, review.id, isEnded]);
  return { report: loaded?.report, failure: loaded?.failure };
}
