import type { Thread } from '@redpen/client';
import { Check, ExternalLink, RotateCcw, TextQuote } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useMay } from '../../session/session.tsx';
import { SeverityBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/time.tsx';
import { announce } from '../../ui/toasts.tsx';
import { CommentItem } from './comment-item.tsx';
import { Composer } from './composer.tsx';
import { SuggestionBox, SuggestionStatus } from './suggestion-box.tsx';
import { pageOf } from './thread-filter.ts';
import { ThreadStatus } from './thread-row.tsx';
import styles from './threads.module.css';
import type { ThreadActions } from './use-threads.ts';
import type { Undoable } from './use-undoable.ts';

/** What an agent says about the place. Its comment says the same in one text, and is left out. */
function AgentReport({ thread: { agent } }: { thread: Thread }) {
  if (!agent) return null;
  const { reason } = agent;
  return (
    <section className={styles.report}>
      <p>{reason.description}</p>
      {reason.suggestion && (
        <p>
          <b>Fix:</b> {reason.suggestion}
        </p>
      )}
      {reason.cause && reason.cause.places > 1 && (
        <p className={styles.hint}>
          In {plural(reason.cause.places, 'place')} on {plural(reason.cause.pages, 'page')}.
        </p>
      )}
      <p className={styles.hint}>
        {agent.agentName ?? agent.agentId}
        {reason.issueType && (
          <>
            {' '}
            · <code>{reason.issueType}</code>
          </>
        )}
      </p>
    </section>
  );
}

function Place({ thread }: { thread: Thread }) {
  const page = pageOf(thread);
  const quote = thread.targetElement?.targetText;
  return (
    <>
      {quote && (
        <blockquote className={styles.quote}>
          <TextQuote size={14} aria-hidden /> {quote}
        </blockquote>
      )}
      {page && (
        <a className={styles.page} href={page} target="_blank" rel="noreferrer">
          {page} <ExternalLink size={13} aria-hidden />
        </a>
      )}
    </>
  );
}

const say = (work: Promise<unknown>): void =>
  void work.catch((error: unknown) => announce(error instanceof Error ? error.message : String(error)));

/** A thread with its suggestion, its comments and a field for the next one. */
export function ThreadPanel({
  thread,
  actions,
  undoable,
}: {
  thread: Thread;
  actions: ThreadActions;
  undoable: Undoable;
}) {
  const may = useMay('editor');
  const { annotationId, agent, comments, isUnread, lastUpdated, status, suggestion } = thread;
  const tried = useRef<unknown>(undefined);
  useEffect(() => {
    // A refusal makes it unread again, and must not be asked for again.
    if (!may || !isUnread || tried.current === lastUpdated) return;
    tried.current = lastUpdated;
    say(actions.markRead(annotationId));
  }, [may, annotationId, isUnread, lastUpdated, actions]);
  const isResolved = status?.type === 'terminal';
  // The first comment of an agent repeats its report.
  const shown = agent ? comments.filter((comment, index) => index > 0 || !comment.agent) : comments;
  return (
    <div className={styles.thread}>
      <p className={styles.marks}>
        {agent && <SeverityBadge severity={agent.reason.severity} />}
        <SuggestionStatus thread={thread} />
        <ThreadStatus thread={thread} />
      </p>
      <Place thread={thread} />
      <AgentReport thread={thread} />
      {suggestion && <SuggestionBox thread={thread} actions={actions} undoable={undoable} />}
      {shown.length > 0 && (
        <ol className={styles.comments} aria-label="Comments">
          {shown.map((comment) => (
            <CommentItem
              key={comment.commentId}
              annotationId={annotationId}
              comment={comment}
              isOnly={comments.length === 1}
              actions={actions}
            />
          ))}
        </ol>
      )}
      {may && (
        <>
          <Composer
            key={annotationId}
            label="Reply"
            draftKey={annotationId}
            submitLabel="Reply"
            onSend={(text) => actions.reply(annotationId, text)}
          />
          {/* A suggestion of an agent is resolved with its findings, above. */}
          {(!agent || suggestion?.status !== 'pending' || isResolved) && (
            <div className={styles.buttons}>
              {isResolved ? (
                <Button size="small" onPress={() => say(actions.reopen(annotationId))}>
                  <RotateCcw /> Reopen
                </Button>
              ) : (
                <Button
                  size="small"
                  onPress={() => {
                    say(actions.resolve(annotationId));
                    announce('Thread resolved', {
                      label: 'Undo',
                      run: () => say(actions.reopen(annotationId)),
                    });
                  }}
                >
                  <Check /> Resolve
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </div>
  );
}
