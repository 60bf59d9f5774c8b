import { useKeyMutation } from '../../data/use-key-query.ts';
import { announce } from '../../ui/toasts.tsx';
import { AGENTS } from './agents-data.ts';

/** Switches an agent on or off, and says what came of it. */
export function useSwitch({ id, name }: { id: string; name: string }) {
  const { isPending, mutate } = useKeyMutation(
    (redpen, enabled: boolean) => redpen.agents.update({ agentId: id, enabled }),
    { renews: [AGENTS] },
  );
  const change = (enabled: boolean): void =>
    mutate(enabled, {
      onSuccess: () => announce(`${name} is ${enabled ? 'enabled' : 'disabled'}.`),
      onError: ({ message }) => announce(`${name} could not be changed: ${message}`),
    });
  return { isPending, change };
}
