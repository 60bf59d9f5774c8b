import type { ReviewSchedule } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../data/use-key-query.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckInput, RadioInput, SelectInput, TextInput } from '../../ui/field.tsx';
import { Loading } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { announce } from '../../ui/toasts.tsx';
import { RhythmFields } from './rhythm-fields.tsx';
import {
  cronOf,
  emptyForm,
  formOf,
  hasTime,
  isOtherReview,
  NONE,
  problemsOf,
  reviewOf,
  type ScheduleForm,
} from './schedule-form.ts';
import styles from './schedules.module.css';

export const SCHEDULES = ['schedules'] as const;

export const PRESETS = [
  { id: NONE, label: 'No preset' },
  { id: 'launch', label: 'Before a launch' },
  { id: 'content', label: 'Content' },
  { id: 'accessibility', label: 'Accessibility' },
  { id: 'privacy', label: 'Privacy' },
];

/** Creates a schedule, or changes one. */
export function ScheduleDialog({ schedule, onClose }: { schedule?: ReviewSchedule; onClose: () => void }) {
  const [before] = useState(() =>
    schedule ? formOf(schedule) : emptyForm(Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  const [form, setForm] = useState(before);
  const change = (next: Partial<ScheduleForm>): void => setForm((one) => ({ ...one, ...next }));
  const save = useKeyMutation(
    async (redpen, next: ScheduleForm) => {
      const clock = { name: next.name.trim(), cron: cronOf(next), timeZone: next.timeZone.trim() };
      if (!schedule) return await redpen.schedules.create({ ...clock, review: reviewOf(next) });
      const review = isOtherReview(before, next) ? { review: reviewOf(next) } : {};
      return await redpen.schedules.update({ scheduleId: schedule.id, ...clock, ...review });
    },
    { renews: [SCHEDULES] },
  );
  const [isTried, setTried] = useState(false);
  const found = problemsOf(form);
  const problems = isTried ? found : {};
  const hasAgents = form.preset !== NONE || form.agents.length > 0 || form.groupId !== NONE;
  return (
    <FormDialog
      title={schedule ? `Change ${schedule.name || 'the schedule'}` : 'New schedule'}
      kind="wide"
      isOpen
      onClose={onClose}
      submitLabel={schedule ? 'Save schedule' : 'Create schedule'}
      canSubmit={form.urls.trim() !== '' && hasAgents && hasTime(form)}
      onSubmit={async () => {
        setTried(true);
        if (Object.keys(found).length > 0) throw new Error('Some fields are not right yet.');
        await save.mutateAsync(form);
        announce(schedule ? 'The schedule is saved.' : 'The schedule is created.');
      }}
    >
      <TextInput
        label="Name"
        isOptional
        placeholder="Every Monday morning"
        value={form.name}
        onChange={(name) => change({ name })}
      />
      <RhythmFields form={form} onChange={change} />
      <ReviewFields form={form} problems={problems} onChange={change} />
      {schedule && isOtherReview(before, form) && (
        <p className={styles.notice}>
          The review is replaced as a whole. Settings that only the API has, such as severities, are reset.
        </p>
      )}
    </FormDialog>
  );
}

interface FieldsProps {
  form: ScheduleForm;
  onChange: (next: Partial<ScheduleForm>) => void;
}

function ReviewFields({
  form,
  problems,
  onChange,
}: FieldsProps & { problems: ReturnType<typeof problemsOf> }) {
  return (
    <>
      <TextInput
        label="Pages"
        hint="Addresses, one a line."
        rows={2}
        isMono
        placeholder="https://example.com/"
        value={form.urls}
        onChange={(urls) => onChange({ urls })}
      />
      <div className={styles.pair}>
        <CheckInput isSelected={form.crossPage} onChange={(crossPage) => onChange({ crossPage })}>
          Also review pages of the same site
        </CheckInput>
        {form.crossPage && (
          <TextInput
            label="Pages at most"
            type="number"
            value={form.maxPages}
            error={problems.maxPages}
            onChange={(maxPages) => onChange({ maxPages })}
          />
        )}
      </div>
      <AgentFields form={form} onChange={onChange} />
      <RadioInput
        label="Device"
        choices={[
          { id: 'desktop', label: 'Desktop' },
          { id: 'mobile', label: 'Mobile' },
        ]}
        value={form.device}
        onChange={(device) => onChange({ device })}
      />
      <div className={styles.pair}>
        <TextInput
          label="Organization id"
          isOptional
          isMono
          value={form.organizationId}
          error={problems.organizationId}
          onChange={(organizationId) => onChange({ organizationId })}
        />
        <TextInput
          label="Document id"
          isOptional
          isMono
          hint="Findings become comments on it."
          value={form.documentId}
          error={problems.documentId}
          onChange={(documentId) => onChange({ documentId })}
        />
      </div>
    </>
  );
}

function AgentFields({ form, onChange }: FieldsProps) {
  const agents = useKeyQuery(['agents', 'all'], (redpen, signal) =>
    redpen.agents.all({}, { signal, max: 2_000 }),
  );
  const { data: groups } = useKeyQuery(
    ['agent-groups'],
    async (redpen, signal) => (await redpen.agentGroups.list({}, { signal })).groups,
  );
  const toggle = (id: string, isSelected: boolean): void =>
    onChange({ agents: isSelected ? [...form.agents, id] : form.agents.filter((one) => one !== id) });
  return (
    <>
      <div className={styles.pair}>
        <SelectInput
          label="Preset"
          hint="Built-in agents for a purpose, without a model."
          choices={PRESETS}
          value={form.preset}
          onChange={(preset) => onChange({ preset })}
        />
        {groups && groups.length > 0 && (
          <SelectInput
            label="Group"
            choices={[
              { id: NONE, label: 'No group' },
              ...groups.map(({ id, name }) => ({ id, label: name })),
            ]}
            value={form.groupId}
            onChange={(groupId) => onChange({ groupId })}
          />
        )}
      </div>
      <fieldset className={styles.agents}>
        <legend>Further agents</legend>
        <div>
          <QueryView query={agents} loading={<Loading rows={2} />}>
            {(all) =>
              all.map(({ id, name }) => (
                <CheckInput
                  key={id}
                  isSelected={form.agents.includes(id)}
                  onChange={(isSelected) => toggle(id, isSelected)}
                >
                  {name}
                </CheckInput>
              ))
            }
          </QueryView>
        </div>
      </fieldset>
    </>
  );
}
