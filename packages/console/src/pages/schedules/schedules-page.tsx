import type { ReviewSchedule } from '@redpen/client';
import { CalendarClock, Plus } from 'lucide-react';
import { useState } from 'react';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { SCHEDULES, ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleTable } from './schedule-table.tsx';

const CALLS = [
  { title: 'List the schedules', path: '/v2/reviews/schedules/list', name: 'schedules.list', data: {} },
  {
    title: 'Review a site every Monday morning',
    path: '/v2/reviews/schedules/create',
    name: 'schedules.create',
    data: {
      name: 'Every Monday morning',
      cron: '0 7 * * 1',
      timeZone: 'Europe/Berlin',
      review: { urls: ['https://example.com/'], preset: 'launch', crossPageExecute: true },
    },
  },
  {
    title: 'Start one now',
    path: '/v2/reviews/schedules/start',
    name: 'schedules.start',
    data: { scheduleId: 'schedule_…' },
  },
];

/** A list is read again while it is open, so that starts show. */
const REREAD_MS = 15_000;

/** Reviews that start by themselves. */
export function SchedulesPage() {
  const mayEdit = useMay('editor');
  const [edited, setEdited] = useState<ReviewSchedule | 'new'>();
  const schedules = useKeyQuery(
    SCHEDULES,
    async (redpen, signal) => (await redpen.schedules.list({}, { signal })).schedules,
    { refetchInterval: REREAD_MS },
  );
  return (
    <Page
      title="Schedules"
      lead="Reviews that start by themselves, so that what breaks later is found, too."
      actions={
        <>
          <ShowAsCode calls={CALLS} />
          {mayEdit && (
            <Button variant="primary" onPress={() => setEdited('new')}>
              <Plus /> New schedule
            </Button>
          )}
        </>
      }
    >
      <QueryView query={schedules}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              icon={CalendarClock}
              title="No schedules yet"
              action={mayEdit && <Button onPress={() => setEdited('new')}>New schedule</Button>}
            >
              A schedule reviews pages every night or every week, and says what is new since the last time.
            </EmptyState>
          ) : (
            <ScheduleTable schedules={list} onEdit={setEdited} />
          )
        }
      </QueryView>
      {edited && (
        <ScheduleDialog
          {...(edited !== 'new' && { schedule: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}
