import type { ReviewSchedule } from '@redpen/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pencil, Play, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../data/use-key-query.ts';
import { VerdictBadge } from '../../reviews/verdict-badge.tsx';
import { useMay } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { Card } from '../../ui/page.tsx';
import { DataTable } from '../../ui/table.tsx';
import { plural, Time } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import { describeCron } from './cron-words.ts';
import { PRESETS, SCHEDULES } from './schedule-dialog.tsx';
import styles from './schedules.module.css';

const titleOf = ({ name, review }: ReviewSchedule): string => name || review.urls[0] || 'Schedule';

const agentsOf = ({ preset, agents = [], groupId }: ReviewSchedule['review']): string =>
  [
    preset && PRESETS.find(({ id }) => id === preset)?.label,
    groupId && 'A group',
    agents.length > 0 && plural(agents.length, 'agent'),
  ]
    .filter(Boolean)
    .join(', ');

/** The schedules with their next and last start. */
export function ScheduleTable({
  schedules,
  onEdit,
}: {
  schedules: readonly ReviewSchedule[];
  onEdit: (schedule: ReviewSchedule) => void;
}) {
  return (
    <Card isFlush>
      <DataTable
        label="Schedules"
        rows={schedules}
        keyOf={({ id }) => id}
        columns={[
          { id: 'name', header: 'Schedule', kind: 'main', cell: (schedule) => <What schedule={schedule} /> },
          {
            id: 'agents',
            header: 'Agents',
            cell: ({ review }) => <span className={styles.muted}>{agentsOf(review)}</span>,
          },
          { id: 'when', header: 'When', kind: 'main', cell: (schedule) => <When schedule={schedule} /> },
          {
            id: 'next',
            header: 'Next',
            kind: 'tight',
            isNamedWhenNarrow: true,
            cell: ({ enabled, nextAt }) =>
              enabled && nextAt !== null ? <Next at={nextAt} /> : <Badge>Disabled</Badge>,
          },
          {
            id: 'last',
            header: 'Last',
            kind: 'tight',
            isNamedWhenNarrow: true,
            cell: (schedule) => <Last schedule={schedule} />,
          },
          {
            id: 'actions',
            header: 'Actions',
            isHeaderHidden: true,
            kind: 'tight',
            cell: (schedule) => <Actions schedule={schedule} onEdit={() => onEdit(schedule)} />,
          },
        ]}
      />
    </Card>
  );
}

function What({ schedule }: { schedule: ReviewSchedule }) {
  const { review } = schedule;
  const [first, ...others] = review.urls;
  return (
    <div className={styles.stack}>
      <span className={styles.name}>{titleOf(schedule)}</span>
      <span className={styles.muted}>
        {first}
        {others.length > 0 && ` and ${plural(others.length, 'more page', 'more pages')}`}
        {review.crossPageExecute && `, up to ${plural(review.maxUrlsToProcess, 'page')} of the site`}
      </span>
    </div>
  );
}

const When = ({ schedule: { cron, timeZone } }: { schedule: ReviewSchedule }) => (
  <div className={styles.stack}>
    <span>{describeCron(cron)?.replace(/\.$/, '') ?? <code>{cron}</code>}</span>
    <span className={styles.muted}>{timeZone}</span>
  </div>
);

/** In the zone of the reader, which it names because the rhythm has a zone of its own. */
const moment = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

const Next = ({ at }: { at: number }) => (
  <span className={styles.moment}>
    <Time at={at} />
    <span className={styles.muted}>{moment.format(at)}</span>
  </span>
);

/** Reviews are read again until they have ended. */
const REREAD_MS = 3_000;

function Last({ schedule }: { schedule: ReviewSchedule }) {
  const { lastAt, lastReviewId, lastError } = schedule;
  const to = useKeyPath();
  const { data: review } = useKeyQuery(
    ['reviews', 'one', lastReviewId],
    async (redpen, signal) => (await redpen.reviews.get({ reviewId: lastReviewId ?? '' }, { signal })).review,
    {
      enabled: lastReviewId !== null,
      refetchInterval: (one) => (one?.status === 'running' ? REREAD_MS : false),
    },
  );
  if (lastAt === null) return <span className={styles.muted}>Never</span>;
  return (
    <div className={styles.stack}>
      {lastError ? (
        <span className={styles.error}>{lastError}</span>
      ) : (
        review && (
          <Link to={to(`/reviews/${review.id}`)}>
            <VerdictBadge review={review} />
            <span className="visually-hidden"> in the last review of {titleOf(schedule)}</span>
          </Link>
        )
      )}
      <span className={styles.muted}>
        <Time at={lastAt} />
      </span>
    </div>
  );
}

function Actions({ schedule, onEdit }: { schedule: ReviewSchedule; onEdit: () => void }) {
  const { id: scheduleId, enabled } = schedule;
  const title = titleOf(schedule);
  const mayEdit = useMay('editor');
  const navigate = useNavigate();
  const to = useKeyPath();
  const [isDeleting, setDeleting] = useState(false);
  const renews = { renews: [SCHEDULES] };
  const toggle = useKeyMutation(
    (redpen, next: boolean) => redpen.schedules.update({ scheduleId, enabled: next }),
    renews,
  );
  const start = useKeyMutation((redpen, id: string) => redpen.schedules.start({ scheduleId: id }), renews);
  const remove = useKeyMutation((redpen, id: string) => redpen.schedules.delete({ scheduleId: id }), renews);
  if (!mayEdit) return null;
  const explain = (error: unknown): void =>
    announce(error instanceof Error ? error.message : 'The schedule could not be changed.');
  const startNow = async (): Promise<void> => {
    const { reviewId } = await start.mutateAsync(scheduleId);
    announce(`${title} has started.`, {
      label: 'Open',
      run: () => void navigate({ to: to(`/reviews/${reviewId}`) }),
    });
  };
  return (
    <>
      <ActionMenu
        label={`Actions of ${title}`}
        trigger={
          <IconButton size="small" label={`Actions of ${title}`}>
            <Ellipsis />
          </IconButton>
        }
        entries={[
          {
            id: 'start',
            label: 'Start now',
            icon: <Play size={16} />,
            onAction: () => void startNow().catch(explain),
          },
          { id: 'edit', label: 'Change', icon: <Pencil size={16} />, onAction: onEdit },
          {
            id: 'toggle',
            label: enabled ? 'Disable' : 'Enable',
            icon: <Power size={16} />,
            onAction: () => void toggle.mutateAsync(!enabled).catch(explain),
          },
          {
            id: 'delete',
            label: 'Delete',
            icon: <Trash2 size={16} />,
            isDanger: true,
            onAction: () => setDeleting(true),
          },
        ]}
      />
      <FormDialog
        title={`Delete ${title}?`}
        role="alertdialog"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        submitLabel="Delete schedule"
        isDanger
        onSubmit={async () => {
          await remove.mutateAsync(scheduleId);
          announce(`${title} is deleted.`);
        }}
      >
        <p>It starts no more reviews. Those that it has started stay.</p>
      </FormDialog>
    </>
  );
}
