import { useMemo } from 'react';
import { SelectInput, TextInput } from '../../ui/field.tsx';
import { describeCron, nextTimes } from './cron-words.ts';
import { cronOf, hasTime, type Rhythm, type ScheduleForm } from './schedule-form.ts';
import styles from './schedules.module.css';

const RHYTHMS: readonly { id: Rhythm; label: string }[] = [
  { id: 'hourly', label: 'Every hour' },
  { id: 'daily', label: 'Every day' },
  { id: 'weekdays', label: 'From Monday to Friday' },
  { id: 'weekly', label: 'Every week' },
  { id: 'monthly', label: 'On the first of each month' },
  { id: 'custom', label: 'Cron expression' },
];

const WEEKDAYS = [
  { id: '1', label: 'Monday' },
  { id: '2', label: 'Tuesday' },
  { id: '3', label: 'Wednesday' },
  { id: '4', label: 'Thursday' },
  { id: '5', label: 'Friday' },
  { id: '6', label: 'Saturday' },
  { id: '0', label: 'Sunday' },
];

const COUNT = 5;

/** When a schedule starts, what that means, and the next times. */
export function RhythmFields({
  form,
  onChange,
}: {
  form: ScheduleForm;
  onChange: (next: Partial<ScheduleForm>) => void;
}) {
  const cron = cronOf(form);
  const takesTime = form.rhythm !== 'hourly' && form.rhythm !== 'custom';
  return (
    <>
      <div className={styles.pair}>
        <SelectInput
          label="When"
          choices={RHYTHMS}
          value={form.rhythm}
          onChange={(rhythm) => onChange({ rhythm, cron })}
        />
        {form.rhythm === 'weekly' && (
          <SelectInput
            label="Day"
            choices={WEEKDAYS}
            value={form.weekday}
            onChange={(weekday) => onChange({ weekday })}
          />
        )}
        {takesTime && (
          <TextInput
            label="Time"
            placeholder="07:00"
            error={hasTime(form) ? undefined : 'Give a time such as 07:30.'}
            value={form.time}
            onChange={(time) => onChange({ time })}
          />
        )}
        {form.rhythm === 'custom' && (
          <TextInput
            label="Cron expression"
            hint="Minute, hour, day of the month, month, day of the week."
            isMono
            value={form.cron}
            onChange={(next) => onChange({ cron: next })}
          />
        )}
        <TextInput
          label="Time zone"
          placeholder="Europe/Berlin"
          value={form.timeZone}
          onChange={(timeZone) => onChange({ timeZone })}
        />
      </div>
      <NextTimes cron={cron} timeZone={form.timeZone} />
    </>
  );
}

function NextTimes({ cron, timeZone }: { cron: string; timeZone: string }) {
  const found = useMemo(() => nextTimes(cron, timeZone.trim(), COUNT), [cron, timeZone]);
  if ('problem' in found) {
    return (
      <div className={styles.next} role="status">
        <p className={styles.problem}>{found.problem}</p>
      </div>
    );
  }
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone: timeZone.trim(),
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    // As in the words of the rhythm and in its field.
    hourCycle: 'h23',
  });
  return (
    <div className={styles.next} role="status">
      <p>
        <b>{describeCron(cron) ?? 'At the following times.'}</b>
      </p>
      <p>Next in {timeZone.trim()}:</p>
      <ol>
        {found.times.map((at) => (
          <li key={at.getTime()}>
            <time dateTime={at.toISOString()}>{format.format(at)}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}
