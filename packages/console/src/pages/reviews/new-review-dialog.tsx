import { useState } from 'react';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { EMPTY_FORM, PRESETS, problemsOf, type ReviewForm, requestOf } from '../../reviews/review-form.ts';
import { useRedpen } from '../../session/session.tsx';
import { useGo } from '../../shell/key-path.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckInput, RadioInput, SelectInput, SwitchInput, TextInput } from '../../ui/field.tsx';
import { Loading } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { DocumentChoice } from './document-choice.tsx';
import styles from './reviews.module.css';

export interface FormPartProps {
  form: ReviewForm;
  problems: ReturnType<typeof problemsOf>;
  onChange: (change: Partial<ReviewForm>) => void;
}

/** Starts a review: pages, agents, and how far to go. */
export function NewReviewDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const redpen = useRedpen();
  const go = useGo();
  const [form, setForm] = useState(EMPTY_FORM);
  const [isTried, setTried] = useState(false);
  const found = problemsOf(form);
  const problems = isTried ? found : {};
  const onChange = (change: Partial<ReviewForm>) => setForm((before) => ({ ...before, ...change }));
  const start = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(found).length > 0) throw new Error('Some fields are not filled in yet.');
    const { reviewId } = await redpen.reviews.run(requestOf(form));
    go(`/reviews/${reviewId}`);
  };
  const part = { form, problems, onChange };
  return (
    <FormDialog
      title="New review"
      kind="wide"
      isOpen={isOpen}
      onClose={onClose}
      submitLabel="Start the review"
      onSubmit={start}
    >
      <TextInput
        label="Pages"
        rows={3}
        autoFocus
        isMono
        value={form.urls}
        onChange={(urls) => onChange({ urls })}
        placeholder="example.com/pricing"
        hint="One address a line."
        error={problems.urls}
      />
      <AgentsPart {...part} />
      <SitePart {...part} />
      <div className={styles.pair}>
        <SelectInput
          label="Device"
          choices={[
            { id: 'desktop', label: 'Desktop' },
            { id: 'mobile', label: 'Mobile' },
          ]}
          value={form.deviceType}
          onChange={(deviceType) => onChange({ deviceType })}
        />
        <DocumentChoice {...part} />
      </div>
      <p className={styles.note}>
        Pages behind a login: send <code>auth</code> with reviews/run, or keep it with an agent. Passwords are
        not asked for here.
      </p>
    </FormDialog>
  );
}

function AgentsPart({ form, problems, onChange }: FormPartProps) {
  return (
    <>
      <RadioInput
        label="Examined by"
        choices={[
          { id: 'preset', label: 'A preset' },
          { id: 'agents', label: 'Agents of your choice' },
          { id: 'group', label: 'A group of agents' },
        ]}
        value={form.by}
        onChange={(by) => onChange({ by })}
      />
      {form.by === 'preset' && (
        <SelectInput
          label="Preset"
          choices={PRESETS}
          value={form.preset}
          onChange={(preset) => onChange({ preset })}
          hint={PRESETS.find(({ id }) => id === form.preset)?.hint}
        />
      )}
      {form.by === 'agents' && <AgentChoice {...{ form, problems, onChange }} />}
      {form.by === 'group' && <GroupChoice {...{ form, problems, onChange }} />}
    </>
  );
}

function AgentChoice({ form, problems, onChange }: FormPartProps) {
  const query = useKeyQuery(['agents', 'all'], (redpen, signal) =>
    redpen.agents.all({}, { signal, max: 2_000 }),
  );
  const chosen = new Set(form.agents);
  const toggle = (id: string, isSelected: boolean) =>
    onChange({ agents: isSelected ? [...form.agents, id] : form.agents.filter((one) => one !== id) });
  return (
    <fieldset className={styles.agents} aria-label="Agents">
      <QueryView query={query} loading={<Loading rows={2} />}>
        {(agents) =>
          agents
            .filter(({ enabled }) => enabled)
            .map(({ id, name }) => (
              <CheckInput
                key={id}
                isSelected={chosen.has(id)}
                onChange={(isSelected) => toggle(id, isSelected)}
              >
                {name}
              </CheckInput>
            ))
        }
      </QueryView>
      {problems.agents && <p className={styles.problem}>{problems.agents}</p>}
    </fieldset>
  );
}

function GroupChoice({ form, problems, onChange }: FormPartProps) {
  const query = useKeyQuery(
    ['agent-groups'],
    async (redpen, signal) => (await redpen.agentGroups.list({}, { signal })).groups,
  );
  return (
    <QueryView query={query} loading={<Loading rows={1} />}>
      {(groups) =>
        groups.length === 0 ? (
          <p className={styles.note}>There are no groups of agents yet.</p>
        ) : (
          <SelectInput
            label="Group"
            choices={groups.map(({ id, name, agentCount }) => ({ id, label: `${name} (${agentCount})` }))}
            value={form.groupId}
            onChange={(groupId) => onChange({ groupId })}
            error={problems.groupId}
          />
        )
      }
    </QueryView>
  );
}

function SitePart({ form, problems, onChange }: FormPartProps) {
  return (
    <>
      <SwitchInput isSelected={form.isWholeSite} onChange={(isWholeSite) => onChange({ isWholeSite })}>
        Also the pages of the site that can be reached from these
      </SwitchInput>
      {form.isWholeSite && (
        <div className={styles.site}>
          <div className={styles.pair}>
            <TextInput
              label="Pages at most"
              type="number"
              value={form.maxUrls}
              onChange={(maxUrls) => onChange({ maxUrls })}
              error={problems.maxUrls}
            />
            <TextInput
              label="Only pages like"
              isOptional
              isMono
              rows={2}
              value={form.globs}
              onChange={(globs) => onChange({ globs })}
              placeholder="/docs/**"
              hint="One glob a line."
            />
          </div>
          <CheckInput isSelected={form.hasSitemap} onChange={(hasSitemap) => onChange({ hasSitemap })}>
            Also the pages that the sitemap lists
          </CheckInput>
        </div>
      )}
    </>
  );
}
