import { Play, Square } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useDraft } from '../../../data/use-draft.ts';
import { addressOf } from '../../../reviews/trial.ts';
import { useMay } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextInput } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { TrialView } from './trial-view.tsx';
import styles from './try.module.css';
import { useTrial } from './use-trial.ts';

interface Props {
  url: string;
  onUrl: (url: string) => void;
  /** Names of variables that a run needs. */
  variables: readonly string[];
  /** Set while the agent has changes that no run can see before they are saved. */
  savesFirst?: boolean;
  /** Why the agent cannot run. */
  unavailable?: string | undefined;
  /** Saves what must be saved, and returns the id of the agent. */
  prepare: () => Promise<string>;
}

/** Runs the agent on a page, beside its editor. */
export function TryPanel({ url, onUrl, variables, savesFirst = false, unavailable: reason, prepare }: Props) {
  const mayRun = useMay('editor');
  const { trial, start, cancel } = useTrial();
  const unavailable = mayRun ? reason : 'Editors and owners of the workspace run agents.';
  const [typed, setTyped] = useDraft(url, onUrl);
  const [values, setValues] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (trial.isRunning || unavailable !== undefined) return;
    const address = addressOf(typed);
    setProblem(
      address === undefined ? 'Give the address of a page, such as https://example.com/.' : undefined,
    );
    if (address === undefined) return;
    setTyped(address);
    void start(async () => ({
      agentId: await prepare(),
      url: address,
      variables: Object.fromEntries(variables.map((name) => [name, values[name] ?? ''])),
    }));
  };
  return (
    <Card title="Try on a URL" lead="Runs the agent once. Its findings are not posted as comments.">
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextInput
          label="Page"
          type="url"
          placeholder="https://example.com/"
          value={typed}
          error={problem}
          onChange={setTyped}
        />
        {variables.map((name) => (
          <TextInput
            key={name}
            label={`Variable ${name}`}
            value={values[name] ?? ''}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        <div className={styles.buttons}>
          <Button type="submit" isDisabled={unavailable !== undefined} isPending={trial.isRunning}>
            <Play /> {savesFirst ? 'Save and try' : 'Try it'}
          </Button>
          {trial.isRunning && trial.reviewId && (
            <Button
              variant="quiet"
              onPress={() => void cancel().catch((error: Error) => announce(error.message))}
            >
              <Square /> Stop
            </Button>
          )}
        </div>
        {unavailable && <p className={styles.note}>{unavailable}</p>}
        {savesFirst && !unavailable && (
          <p className={styles.note}>
            Runs use saved versions. Your changes become a new version first; any version can be restored.
          </p>
        )}
      </form>
      <TrialView trial={trial} />
    </Card>
  );
}
