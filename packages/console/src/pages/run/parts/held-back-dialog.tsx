import type { Execution, HeldBackFinding } from '@redpen/client';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { pathOf } from '../../../findings/finding-text.ts';
import { PrecedentNote } from '../../../findings/precedent-note.tsx';
import { SeverityBadge } from '../../../ui/badge.tsx';
import { ModalDialog } from '../../../ui/dialog.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import styles from './run-summary.module.css';

interface Held {
  finding: HeldBackFinding;
  agentName: string;
  key: string;
}

/** The findings that a review does not report, with the decisions for which it does not. */
export function HeldBackDialog({
  executions,
  isOpen,
  onClose,
}: {
  executions: readonly Execution[];
  isOpen: boolean;
  onClose: () => void;
}) {
  const query = useKeyQuery(
    ['held-back', ...executions.map(({ id }) => id)],
    async (redpen, signal) => {
      const held: Held[] = [];
      for (const { id } of executions) {
        let pageToken: string | undefined;
        do {
          const { results = [], nextPageToken } = await redpen.executions.get(
            { executionId: id, includeResults: true, ...(pageToken && { pageToken }) },
            { signal },
          );
          for (const { heldBack = [], agentName, url } of results)
            for (const finding of heldBack)
              held.push({ finding, agentName, key: `${id} ${url} ${finding.id}` });
          pageToken = nextPageToken;
        } while (pageToken);
      }
      return held;
    },
    { enabled: isOpen },
  );
  return (
    <ModalDialog title="Held back" kind="side" isOpen={isOpen} onClose={onClose}>
      <p>These findings are not reported, because people keep rejecting similar ones.</p>
      <QueryView query={query}>
        {(held) => (
          <ul className={styles.held}>
            {held.map(({ finding, agentName, key }) => (
              <li key={key}>
                <div className={styles.heldHead}>
                  <b>{finding.title}</b>
                  <SeverityBadge severity={finding.severity} />
                </div>
                <p>{finding.description}</p>
                <span className={styles.where}>
                  {pathOf(finding.sourceUrl)}, {agentName}
                </span>
                <PrecedentNote precedent={finding.precedent} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </ModalDialog>
  );
}
