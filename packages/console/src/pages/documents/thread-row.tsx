import type { Thread } from '@redpen/client';
import { Check, MessageSquare, PenLine, X } from 'lucide-react';
import { AssistantBadge, Badge, SeverityBadge } from '../../ui/badge.tsx';
import { ROW_FOCUS } from '../../ui/scroll-list.tsx';
import { plural, Time } from '../../ui/time.ts';
import { shortAddress } from '../findings/inbox-rows.ts';
import { pageOf, titleOf } from './thread-filter.ts';
import styles from './threads.module.css';

function ThreadStatus({ thread: { status } }: { thread: Thread }) {
  if (!status || status.id === 'OPEN') return null;
  return <Badge tone={status.type === 'terminal' ? 'good' : 'busy'}>{status.name}</Badge>;
}

function SuggestionStatus({ thread: { suggestion } }: { thread: Thread }) {
  if (!suggestion) return null;
  const { status } = suggestion;
  if (status === 'pending') return <Badge tone="warn">To decide</Badge>;
  return status === 'accepted' ? (
    <Badge tone="good">
      <Check aria-hidden /> Accepted
    </Badge>
  ) : (
    <Badge>
      <X aria-hidden /> Rejected
    </Badge>
  );
}

const authorOf = ({ agent, from, comments }: Thread): string =>
  agent?.agentName || from?.name || comments[0]?.from?.name || from?.userId || '';

export function ThreadRow({
  thread,
  isOpen,
  isCursor,
  onOpen,
}: {
  thread: Thread;
  isOpen: boolean;
  isCursor: boolean;
  onOpen: () => void;
}) {
  const { agent, comments, suggestion, lastUpdated, isUnread, type } = thread;
  const assistant =
    thread.decidedByAssistant?.suggestion ??
    thread.decidedByAssistant?.status ??
    comments[0]?.assistant?.name;
  const page = pageOf(thread);
  const Icon = type === 'suggestion' ? PenLine : MessageSquare;
  return (
    <button
      type="button"
      {...ROW_FOCUS}
      className={styles.row}
      data-open={isOpen || undefined}
      data-unread={isUnread || undefined}
      aria-current={isOpen || undefined}
      tabIndex={isCursor ? 0 : -1}
      onClick={onOpen}
    >
      <span className={styles.kind}>
        {agent ? <SeverityBadge severity={agent.reason.severity} /> : <Icon size={16} aria-hidden />}
      </span>
      <span className={styles.title}>
        {isUnread && <span className={styles.dot} aria-hidden />}
        {isUnread && <span className="visually-hidden">Unread: </span>}
        <span dir="auto">{titleOf(thread)}</span>
      </span>
      <span className={styles.facts}>
        {authorOf(thread)}
        {page && <> · {shortAddress(page)}</>}
        {comments.length > 1 && <> · {plural(comments.length, 'comment')}</>}
      </span>
      <span className={styles.end}>
        <span className={styles.badges}>
          {assistant !== undefined && <AssistantBadge name={assistant} />}
          <ThreadStatus thread={thread} />
          {suggestion && <SuggestionStatus thread={thread} />}
        </span>
        <Time at={lastUpdated} />
      </span>
    </button>
  );
}
