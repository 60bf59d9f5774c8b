import { useMay } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { plural } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import { type OwnAgent, useAgentSchema } from '../agents-data.ts';
import { AgentEditor } from '../editor/agent-editor.tsx';
import editorStyles from '../editor/editor.module.css';
import { type Fields, valueAt } from '../editor/json-path.ts';
import { PromptTools } from '../prompt/prompt-tools.tsx';
import { TryPanel } from '../try/try-panel.tsx';
import { useAddress } from '../use-address.ts';
import styles from './one.module.css';
import type { AgentEditing } from './use-agent-draft.ts';

/** The editor of an agent, with a place to try it beside it. */
export function ConfigurationPanel({ agent, editing }: { agent: OwnAgent; editing: AgentEditing }) {
  const [address, setAddress] = useAddress();
  const schema = useAgentSchema();
  const mayEdit = useMay('editor');
  const { draft } = editing;
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <QueryView query={schema}>
          {(found) => (
            <AgentEditor
              schema={found}
              draft={draft}
              view={address.view ?? 'form'}
              onView={(view) => setAddress({ view })}
              isReadOnly={!mayEdit}
              tools={mayEdit && <PromptTools value={draft.value} onChange={draft.change} />}
            />
          )}
        </QueryView>
        {mayEdit && <SaveBar editing={editing} />}
      </div>
      <aside className={styles.side} aria-label="Try the agent">
        <TryPanel
          url={address.url ?? ''}
          onUrl={(url) => setAddress({ url })}
          variables={variablesOf(draft.value)}
          savesFirst={editing.isDirty && mayEdit}
          unavailable={agent.enabled ? undefined : 'The agent is disabled. Enable it to run it.'}
          prepare={async () => {
            if (editing.isDirty && mayEdit) await editing.save();
            return agent.id;
          }}
        />
      </aside>
    </div>
  );
}

/** Names of the variables that a run must have. */
export const variablesOf = (draft: Fields): string[] => {
  const names = valueAt(draft, ['input', 'variableKeys']);
  return Array.isArray(names) ? names.map(String) : [];
};

function SaveBar({ editing }: { editing: AgentEditing }) {
  const { draft, isDirty, isSaving, failure, newerVersion, save, discard } = editing;
  const store = async (): Promise<void> => {
    await save();
    announce('The agent is saved.');
  };
  return (
    <>
      {failure !== null && failure !== undefined && draft.problems.length === 0 && (
        <Failure error={failure} />
      )}
      {newerVersion !== undefined && (
        <p className={styles.notice} role="status">
          Version {newerVersion} was saved elsewhere meanwhile. Saving makes your changes the current version;
          both stay in the list of versions.
        </p>
      )}
      <div className={editorStyles.bar}>
        <p role="status">
          {draft.problems.length > 0
            ? `${plural(draft.problems.length, 'problem')}: nothing is saved yet.`
            : isDirty
              ? 'You have unsaved changes.'
              : 'All changes are saved.'}
        </p>
        {isDirty && (
          <Button variant="quiet" onPress={discard}>
            Discard
          </Button>
        )}
        <Button
          variant="primary"
          isDisabled={!isDirty || draft.textProblem !== undefined}
          isPending={isSaving}
          onPress={() => void store().catch(() => undefined)}
        >
          Save
        </Button>
      </div>
    </>
  );
}
