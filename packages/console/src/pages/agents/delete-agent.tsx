import { useKeyMutation } from '../../data/use-key-query.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { announce } from '../../ui/toasts.tsx';
import { AGENTS, GROUPS } from './agents-data.ts';

/** Asks before an agent is deleted. */
export function DeleteAgent({
  agentId,
  name,
  isOpen,
  onClose,
  onDeleted,
}: {
  agentId: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const remove = useKeyMutation(
    async (redpen, id: string) => {
      await redpen.agents.delete({ agentId: id });
      // Before its page reads it again.
      onDeleted?.();
    },
    { renews: [[...AGENTS, 'own'], [...AGENTS, 'all'], GROUPS] },
  );
  return (
    <FormDialog
      title={`Delete ${name}?`}
      role="alertdialog"
      isOpen={isOpen}
      onClose={onClose}
      submitLabel="Delete agent"
      isDanger
      onSubmit={async () => {
        await remove.mutateAsync(agentId);
        announce(`${name} is deleted.`);
      }}
    >
      <p>
        The agent goes with all its versions, and leaves its groups. Schedules that name it cannot start any
        more. Its runs and findings stay. This cannot be undone.
      </p>
    </FormDialog>
  );
}
