import type { ReviewRecord } from '@redpen/client';
import { memo, useMemo, useState } from 'react';
import { useDecisions } from '../../../findings/decide.ts';
import { VerdictBadge } from '../../../reviews/verdict-badge.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { describeDuration, formatNumber, plural, Time } from '../../../ui/time.ts';
import { decisionOn } from '../data/filter-run.ts';
import type { RunFinding } from '../data/merge-run.ts';
import { useExecutions } from '../data/use-executions.ts';
import { HeldBackDialog } from './held-back-dialog.tsx';
import styles from './run-summary.module.css';

/** The outcome of a review in one line: verdict, open findings, changes, time and tokens. */
export const RunSummary = memo(function RunSummary({
  review,
  findings,
}: {
  review: ReviewRecord;
  findings: readonly RunFinding[];
}) {
  const { shown } = useDecisions();
  const open = useMemo(
    () =>
      findings.filter((finding) => !['rejected', 'resolved'].includes(decisionOn(finding, shown).decision))
        .length,
    [findings, shown],
  );
  const { counts: ended, config } = review;
  return (
    <div className={styles.summary}>
      <span className="visually-hidden" role="status">
        {review.status === 'ended' && `The review has ended with ${plural(findings.length, 'finding')}.`}
      </span>
      <VerdictBadge review={review} />
      <b>{plural(open, 'open finding')}</b>
      {ended?.new !== undefined && <Badge tone="busy">{ended.new} new</Badge>}
      {ended?.fixed !== undefined && <Badge tone="good">{ended.fixed} fixed</Badge>}
      <span>
        Started <Time at={review.startedAt} />
      </span>
      {review.durationMs !== null && <span>{describeDuration(review.durationMs)}</span>}
      {ended && <span>{plural(ended.pages, 'page')}</span>}
      <span>{config.deviceType === 'mobile' ? 'Mobile' : 'Desktop'}</span>
      {review.status === 'ended' && <Spent review={review} />}
    </div>
  );
});

/** The tokens that models used, and the findings that are held back. */
function Spent({ review }: { review: ReviewRecord }) {
  const [isOpen, setOpen] = useState(false);
  const { data: executions } = useExecutions(review);
  if (!executions) return null;
  const tokens = executions.reduce((sum, { tokenUsage }) => sum + tokenUsage.totalTokens, 0);
  const models = [...new Set(executions.flatMap(({ llmModel }) => llmModel ?? []))];
  const holding = executions.filter(({ resultsSummary }) => (resultsSummary.heldBack ?? 0) > 0);
  const heldBack = holding.reduce((sum, { resultsSummary }) => sum + (resultsSummary.heldBack ?? 0), 0);
  return (
    <>
      {tokens > 0 && (
        <span title={models.join(', ')}>
          {formatNumber(tokens)} tokens
          {models.length > 0 && `, ${models.join(', ')}`}
        </span>
      )}
      {heldBack > 0 && (
        <Button size="small" variant="quiet" onPress={() => setOpen(true)}>
          {heldBack} held back
        </Button>
      )}
      <HeldBackDialog executions={holding} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
