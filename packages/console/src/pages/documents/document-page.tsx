import type { Thread } from '@redpen/client';
import { Composer } from '@redpen/elements/react';
import { Link } from '@tanstack/react-router';
import { MessageSquarePlus, MessagesSquare, SearchX, WifiOff } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMay, useRedpen } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Card, EmptyState, Loading, Page } from '../../ui/page.tsx';
import { ScrollList } from '../../ui/scroll-list.tsx';
import { ListHead, SplitView } from '../../ui/split-view.tsx';
import { plural } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import { DocumentActions } from './document-actions.tsx';
import { ACCESS } from './place-dialogs.tsx';
import { pageOf, titleOf } from './thread-filter.ts';
import { ThreadFilters } from './thread-filters.tsx';
import { ThreadPanel } from './thread-panel.tsx';
import { ThreadRow } from './thread-row.tsx';
import styles from './threads.module.css';
import {
  type DocumentOfList,
  pathOfOrganization,
  useDocument,
  useOrganization,
  usePlace,
} from './use-places.ts';
import { useThreadKeys } from './use-thread-keys.ts';
import { type ThreadActions, useThreadActions, useThreadSearch, useThreads } from './use-threads.ts';
import { type Undoable, useUndoable } from './use-undoable.ts';

/** Who may open the document, and where that is changed. */
function Access({ document }: { document: DocumentOfList }) {
  const { organizationId } = usePlace();
  const to = useKeyPath();
  const { label, hint } = ACCESS[document.accessType];
  return (
    <>
      {label}: {hint.charAt(0).toLowerCase() + hint.slice(1)} may open it.{' '}
      <Link to={to('/people')} search={{ organization: organizationId, document: document.id } as never}>
        People and access
      </Link>
      {document.disabled && <> The document is disabled: users cannot open it.</>}
    </>
  );
}

// The field of a comment may be gone when the comment is refused, and the person on another page.
document.addEventListener('rp-refused', ({ detail: { problem } }) =>
  announce(`A comment was not sent, and is kept as a draft: ${problem}`),
);

const focusField = (field: HTMLElement | null): void => field?.focus();

function useIsMounted(): () => boolean {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return () => isMounted.current;
}

function NewThread({ actions, onDone }: { actions: ThreadActions; onDone: (id?: string) => void }) {
  const { search } = useThreadSearch();
  const client = useRedpen();
  const place = usePlace();
  const isHere = useIsMounted();
  return (
    <Card title={search.page ? `New thread on ${search.page}` : 'New thread on the document'}>
      <Composer
        {...{ client, ...place }}
        ref={focusField}
        draftKey={`new ${place.organizationId} ${place.documentId}`}
        canCancel
        onClosed={() => onDone()}
        send={async (comment) => {
          const { annotationId } = await actions.begin(comment, search.page);
          // A late answer takes a person nowhere who is elsewhere by then.
          if (isHere()) onDone(annotationId);
        }}
      />
    </Card>
  );
}

function ThreadList({ view }: { view: ReturnType<typeof useView> }) {
  const { state, threads, search, at, focused, open, hasFilters, begin } = view;
  if (state.status === 'loading' && state.threads.length === 0) return <Loading rows={8} />;
  if (state.status === 'failed' && state.threads.length === 0) return <Failure error={state.error} />;
  if (threads.length === 0)
    return hasFilters || state.threads.length > 0 ? (
      <EmptyState icon={SearchX} title="No thread fits these filters" />
    ) : (
      <EmptyState
        icon={MessagesSquare}
        title="No thread here yet"
        action={
          begin && (
            <Button onPress={begin}>
              <MessageSquarePlus /> New thread
            </Button>
          )
        }
      >
        Comments of people and suggestions of agents show here as they are written.
      </EmptyState>
    );
  return (
    <ScrollList
      label="Threads"
      rows={threads}
      keyOf={({ annotationId }) => annotationId}
      estimate={57}
      focused={focused}
    >
      {(thread, index) => (
        <ThreadRow
          thread={thread}
          isCursor={index === Math.max(0, at)}
          isOpen={thread.annotationId === search.annotation}
          onOpen={() => open(thread.annotationId)}
        />
      )}
    </ScrollList>
  );
}

/** A thread in detail, beside the list. */
const detailOf = (thread: Thread, actions: ThreadActions, undoable: Undoable) => ({
  title: titleOf(thread),
  label: 'Thread',
  content: <ThreadPanel key={thread.annotationId} {...{ thread, actions, undoable }} />,
});

/** What the page shows of its threads. */
function useView(begin: (() => void) | undefined) {
  const { search, change } = useThreadSearch();
  const { store, state, threads } = useThreads(search);
  const { at, focused, open } = useThreadKeys(threads, search, change);
  const pages = useMemo(
    () => [...new Set(state.threads.flatMap((thread) => pageOf(thread) ?? []))].sort(),
    [state.threads],
  );
  const { annotation, ...filters } = search;
  const hasFilters = Object.keys(filters).length > 0;
  const shown = state.threads.find(({ annotationId }) => annotationId === annotation);
  return { search, change, store, state, threads, at, focused, open, pages, hasFilters, shown, begin };
}

/** A document with its threads. */
export function DocumentPage() {
  const { organizationId, documentId } = usePlace();
  const to = useKeyPath();
  const may = useMay('editor');
  const [isBeginning, setBeginning] = useState(false);
  const view = useView(may ? () => setBeginning(true) : undefined);
  const { search, change, store, state, threads, open, pages, shown } = view;
  const actions = useThreadActions(store);
  const undoable = useUndoable();
  const document = useDocument({ organizationId, documentId });
  const organization = useOrganization(organizationId);
  const crumbs = [
    { label: 'Documents', to: to('/documents') },
    {
      label: organization.data?.organizationName ?? organizationId,
      to: to(pathOfOrganization(organizationId)),
    },
  ];
  const isGone = document.data === null || state.status === 'ended';
  return (
    <Page
      title={document.data?.documentName || documentId}
      isFull
      crumbs={crumbs}
      lead={document.data ? <Access document={document.data} /> : undefined}
      actions={
        <>
          <DocumentActions organizationId={organizationId} documentId={documentId} document={document.data} />
          {may && !isGone && (
            <Button variant="primary" onPress={() => setBeginning(true)}>
              <MessageSquarePlus /> New thread
            </Button>
          )}
        </>
      }
    >
      {isGone ? (
        <EmptyState icon={SearchX} title="This document does not exist any more">
          It was deleted or has another id now.
        </EmptyState>
      ) : (
        <>
          {isBeginning && (
            <NewThread
              actions={actions}
              onDone={(id) => {
                setBeginning(false);
                if (id !== undefined) open(id);
              }}
            />
          )}
          {document.error && <Failure error={document.error} onRetry={() => void document.refetch()} />}
          <ThreadFilters search={search} change={change} pages={pages} />
          <SplitView
            label="List of threads"
            onClose={() => change({ annotation: undefined })}
            detail={shown && detailOf(shown, actions, undoable)}
            list={
              <>
                <ListHead>
                  <span aria-live="polite">{plural(threads.length, 'thread')}</span>
                  <Connection status={state.status} pending={state.pending} />
                </ListHead>
                <ThreadList view={view} />
              </>
            }
          />
        </>
      )}
    </Page>
  );
}

/** True if the shown state is the present one. */
function Connection({ status, pending }: { status: string; pending: number }) {
  if (status === 'offline')
    return (
      <Badge tone="warn">
        <WifiOff aria-hidden /> No connection{pending > 0 && `, ${pending} unsent`}
      </Badge>
    );
  if (status !== 'live') return null;
  return (
    <span className={styles.live}>
      <span aria-hidden /> Live
    </span>
  );
}
