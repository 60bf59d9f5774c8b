import { useNavigate } from '@tanstack/react-router';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Loading } from '../../../ui/page.tsx';
import { plural } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import { AGENTS, isOwn, useAgent, useAgentSchema, useBuiltinAgents } from '../agents-data.ts';
import { BLANK, draftFromBuiltin, draftOf } from '../editor/agent-draft.ts';
import { AgentEditor } from '../editor/agent-editor.tsx';
import editorStyles from '../editor/editor.module.css';
import type { Fields } from '../editor/json-path.ts';
import { problemsOf } from '../editor/problems.ts';
import type { SchemaNode } from '../editor/schema.ts';
import { useDraft } from '../editor/use-draft.ts';
import { PromptTools } from '../prompt/prompt-tools.tsx';
import { useAddress } from '../use-address.ts';

/** A new agent that begins blank, or like another one, whose id is in the address. */
export function CreateFrom({ from }: { from: string }) {
  const schema = useAgentSchema();
  const failure = schema.error;
  if (failure) return <Failure error={failure} onRetry={() => void schema.refetch()} />;
  if (!schema.data) return <Loading rows={6} />;
  return from === 'blank' ? (
    <NewAgentEditor schema={schema.data} initial={BLANK} />
  ) : (
    <CopyEditor schema={schema.data} from={from} />
  );
}

function CopyEditor({ schema, from }: { schema: SchemaNode; from: string }) {
  const source = useAgent(from);
  const builtin = useBuiltinAgents();
  const error = source.error ?? builtin.error;
  if (error) return <Failure error={error} />;
  if (!source.data || !builtin.data) return <Loading rows={6} />;
  if (isOwn(source.data)) {
    const draft = draftOf(source.data);
    return <NewAgentEditor schema={schema} initial={{ ...draft, name: `${source.data.name} (copy)` }} />;
  }
  const described = builtin.data.find(({ id }) => id === from);
  const services = schema.properties?.execution?.properties?.serviceId?.enum ?? [];
  return (
    <NewAgentEditor schema={schema} initial={described ? draftFromBuiltin(described, services) : BLANK} />
  );
}

function NewAgentEditor({ schema, initial }: { schema: SchemaNode; initial: Fields }) {
  const [address, setAddress] = useAddress();
  const navigate = useNavigate();
  const to = useKeyPath();
  const draft = useDraft(initial);
  const creating = useKeyMutation(
    (redpen, agent: Fields) => redpen.agents.create(agent as Fields & { name: string }),
    { renews: [AGENTS] },
  );
  const create = async (): Promise<void> => {
    try {
      const { agentId } = await creating.mutateAsync(draft.value);
      announce(`${String(draft.value.name)} is created.`);
      void navigate({ to: to(`/agents/${agentId}`), search: {} as never });
    } catch (error) {
      draft.refuse(problemsOf(error));
    }
  };
  return (
    <>
      <AgentEditor
        schema={schema}
        draft={draft}
        view={address.view ?? 'form'}
        onView={(view) => setAddress({ view })}
        tools={<PromptTools value={draft.value} onChange={draft.change} />}
      />
      {creating.error && draft.problems.length === 0 && <Failure error={creating.error} />}
      <div className={editorStyles.bar}>
        <p role="status">
          {draft.problems.length > 0
            ? `${plural(draft.problems.length, 'problem')}: nothing is created yet.`
            : 'You can try the agent on a page once it is created.'}
        </p>
        <Button
          variant="primary"
          isDisabled={draft.textProblem !== undefined}
          isPending={creating.isPending}
          onPress={() => void create()}
        >
          Create agent
        </Button>
      </div>
    </>
  );
}
