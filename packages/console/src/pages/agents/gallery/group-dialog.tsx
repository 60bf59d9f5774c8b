import { useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { FormDialog, ModalDialog } from '../../../ui/dialog.tsx';
import { CheckInput, TextInput } from '../../../ui/field.tsx';
import { Loading } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { GROUPS, type GroupSummary, useAllAgents, useMembers } from '../agents-data.ts';
import styles from './gallery.module.css';

interface GroupForm {
  name: string;
  description: string;
  agentIds: readonly string[];
}

/** Creates a group, or changes one and its members. */
export function GroupDialog({ group, onClose }: { group?: GroupSummary; onClose: () => void }) {
  return group ? <ChangeGroup group={group} onClose={onClose} /> : <CreateGroup onClose={onClose} />;
}

function CreateGroup({ onClose }: { onClose: () => void }) {
  const create = useKeyMutation(
    (redpen, { name, description, agentIds }: GroupForm) =>
      redpen.agentGroups.create({ name, agentIds: [...agentIds], ...(description && { description }) }),
    { renews: [GROUPS] },
  );
  return (
    <GroupFields
      title="New group"
      submitLabel="Create group"
      initial={{ name: '', description: '', agentIds: [] }}
      onClose={onClose}
      onSubmit={async (form) => {
        await create.mutateAsync(form);
        announce(`${form.name} is created.`);
      }}
    />
  );
}

function ChangeGroup({ group, onClose }: { group: GroupSummary; onClose: () => void }) {
  const query = useMembers(group.id, group.agentCount);
  const members = query.data;
  const change = useKeyMutation(
    async (redpen, { name, description, agentIds }: GroupForm) => {
      const groupId = group.id;
      const added = agentIds.filter((id) => !members?.includes(id));
      const removed = (members ?? []).filter((id) => !agentIds.includes(id));
      await redpen.agentGroups.update({ groupId, name, description });
      if (added.length > 0) await redpen.agentGroups.addAgents({ groupId, agentIds: added });
      if (removed.length > 0) await redpen.agentGroups.removeAgents({ groupId, agentIds: removed });
    },
    { renews: [GROUPS] },
  );
  if (!members)
    return (
      <ModalDialog title={`Change ${group.name}`} isOpen onClose={onClose}>
        <QueryView query={query}>{() => null}</QueryView>
      </ModalDialog>
    );
  return (
    <GroupFields
      title={`Change ${group.name}`}
      submitLabel="Save group"
      initial={{ name: group.name, description: group.description ?? '', agentIds: members }}
      onClose={onClose}
      onSubmit={async (form) => {
        await change.mutateAsync(form);
        announce(`${form.name} is saved.`);
      }}
    />
  );
}

function GroupFields({
  title,
  submitLabel,
  initial,
  onClose,
  onSubmit,
}: {
  title: string;
  submitLabel: string;
  initial: GroupForm;
  onClose: () => void;
  onSubmit: (form: GroupForm) => Promise<void>;
}) {
  const [form, setForm] = useState(initial);
  const agents = useAllAgents();
  const toggle = (id: string, isSelected: boolean): void =>
    setForm({
      ...form,
      agentIds: isSelected ? [...form.agentIds, id] : form.agentIds.filter((one) => one !== id),
    });
  return (
    <FormDialog
      title={title}
      isOpen
      onClose={onClose}
      submitLabel={submitLabel}
      canSubmit={form.name.trim() !== ''}
      onSubmit={() => onSubmit({ ...form, name: form.name.trim() })}
    >
      <TextInput label="Name" value={form.name} autoFocus onChange={(name) => setForm({ ...form, name })} />
      <TextInput
        label="Description"
        isOptional
        value={form.description}
        onChange={(description) => setForm({ ...form, description })}
      />
      <div className={styles.checksTitle} id="group-agents">
        Agents
      </div>
      <QueryView query={agents} loading={<Loading rows={3} />}>
        {(all) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would not scroll.
          <div className={styles.checks} role="group" aria-labelledby="group-agents">
            {all.map(({ id, name }) => (
              <CheckInput
                key={id}
                isSelected={form.agentIds.includes(id)}
                onChange={(isSelected) => toggle(id, isSelected)}
              >
                {name}
              </CheckInput>
            ))}
          </div>
        )}
      </QueryView>
    </FormDialog>
  );
}
