import type { AgentDraft } from '@redpen/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { CheckInput, TextInput } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { plural } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import { AGENTS, GROUPS } from '../agents-data.ts';
import styles from './create.module.css';

interface Row {
  draft: AgentDraft;
  isChosen: boolean;
  agentId: string | undefined;
}

/** The agents that were drafted from a checklist, of which some are created. */
export function ChecklistAgents({
  agents,
  summary,
  skipped,
  onBack,
}: {
  agents: readonly AgentDraft[];
  summary: string;
  skipped: readonly { originalText: string; reason: string }[];
  onBack: () => void;
}) {
  const navigate = useNavigate();
  const to = useKeyPath();
  const [group, setGroup] = useState('');
  const [rows, setRows] = useState<readonly Row[]>(() =>
    agents.map((draft) => ({ draft, isChosen: true, agentId: undefined })),
  );
  const change = (index: number, next: Partial<Row>): void =>
    setRows((before) => before.map((row, at) => (at === index ? { ...row, ...next } : row)));
  const create = useKeyMutation(
    async (redpen, chosen: readonly Row[]) => {
      const ids: string[] = [];
      for (const [index, row] of chosen.entries()) {
        if (!row.isChosen) continue;
        // What was created before a failure is not created again.
        const agentId = row.agentId ?? (await redpen.agents.create(row.draft)).agentId;
        change(index, { agentId });
        ids.push(agentId);
      }
      if (group.trim() !== '') await redpen.agentGroups.create({ name: group.trim(), agentIds: ids });
      return ids.length;
    },
    { renews: [AGENTS, GROUPS] },
  );
  const count = rows.filter(({ isChosen }) => isChosen).length;
  const submit = async (): Promise<void> => {
    const created = await create.mutateAsync(rows);
    announce(`${plural(created, 'agent')} created.`);
    void navigate({ to: to('/agents'), search: { tab: 'own' } as never });
  };
  return (
    <div className={styles.section}>
      <p>{summary}</p>
      <Card isFlush>
        <ul className={styles.drafts}>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two items may have the same words.
            <DraftRow key={index} row={row} onChange={(next) => change(index, next)} />
          ))}
        </ul>
      </Card>
      {skipped.length > 0 && (
        <Card title={`${plural(skipped.length, 'part')} left out`} isFlush>
          <ul className={styles.drafts}>
            {skipped.map(({ originalText, reason }) => (
              <li key={originalText}>
                <p>{originalText}</p>
                <p className={styles.note}>{reason}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <TextInput
        label="Group"
        isOptional
        hint="A review or a schedule can then name them together."
        value={group}
        onChange={setGroup}
      />
      {create.error && <Failure error={create.error} />}
      <div className={styles.buttons}>
        <Button
          variant="primary"
          isDisabled={count === 0}
          isPending={create.isPending}
          onPress={() => void submit().catch(() => undefined)}
        >
          Create {plural(count, 'agent')}
        </Button>
        <Button variant="quiet" onPress={onBack}>
          Back to the checklist
        </Button>
      </div>
    </div>
  );
}

function DraftRow({ row, onChange }: { row: Row; onChange: (next: Partial<Row>) => void }) {
  const { draft, isChosen, agentId } = row;
  const strategy = draft.execution?.executionStrategy ?? 'ai';
  return (
    <li className={styles.draft}>
      <CheckInput
        label={`Create ${draft.name}`}
        isSelected={isChosen}
        isDisabled={agentId !== undefined}
        onChange={(next) => onChange({ isChosen: next })}
      />
      <div>
        <TextInput
          label="Name"
          value={draft.name}
          isDisabled={agentId !== undefined}
          onChange={(name) => onChange({ draft: { ...draft, name } })}
        />
        <p className={styles.note}>{draft.rawInstructions ?? draft.instructions}</p>
      </div>
      {agentId ? (
        <Badge tone="good">Created</Badge>
      ) : (
        <Badge tone={strategy === 'service' ? 'good' : 'neutral'}>
          {strategy === 'service' ? 'By rule' : 'With a model'}
        </Badge>
      )}
    </li>
  );
}
