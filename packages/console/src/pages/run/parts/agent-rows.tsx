import type { ReviewRecord } from '@redpen/client';
import { Check, CircleAlert, LoaderCircle, Minus, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { plural } from '../../../ui/time.ts';
import { type AgentProgress, agentsOf } from '../data/agent-progress.ts';
import styles from './agent-rows.module.css';

const STATES = {
  running: { icon: LoaderCircle, word: 'Running' },
  waiting: { icon: LoaderCircle, word: 'Waits to start' },
  done: { icon: Check, word: 'Done' },
  partly: { icon: TriangleAlert, word: 'Done, but not all pages' },
  skipped: { icon: Minus, word: 'Skipped' },
  failed: { icon: CircleAlert, word: 'Failed' },
} as const;

/** The agents of a review with their state and progress. */
export const AgentRows = memo(function AgentRows({
  review,
  onLog,
}: {
  review: ReviewRecord;
  onLog: (agentId: string) => void;
}) {
  return (
    <ul className={styles.agents} aria-label="Agents">
      {agentsOf(review).map((agent) => (
        <li key={agent.agentId} className={styles.agent} data-state={agent.state}>
          <AgentRow agent={agent} onLog={onLog} />
        </li>
      ))}
    </ul>
  );
});

function AgentRow({ agent, onLog }: { agent: AgentProgress; onLog: (agentId: string) => void }) {
  const { agentId, name, state, urlsPlanned, urlsProcessed, findings, error } = agent;
  const { icon: Icon, word } = STATES[state];
  const isRunning = state === 'running' || state === 'waiting';
  return (
    <>
      <div className={styles.head}>
        <Icon className={styles.icon} size={16} aria-hidden />
        <button
          type="button"
          className={styles.name}
          onClick={() => onLog(agentId)}
          title={`Show the log of ${name}`}
        >
          {name}
        </button>
      </div>
      <progress
        className={styles.bar}
        max={Math.max(1, urlsPlanned)}
        value={isRunning ? urlsProcessed : Math.max(1, urlsPlanned)}
        aria-label={`${name}: pages done`}
      />
      <span className={styles.note} title={error}>
        {state !== 'waiting' && <span className="visually-hidden">{word}. </span>}
        {error ??
          (isRunning
            ? state === 'waiting'
              ? word
              : `${urlsProcessed} of ${plural(urlsPlanned, 'page')}`
            : `${plural(urlsProcessed, 'page')}, ${plural(findings, 'finding')}`)}
      </span>
    </>
  );
}
