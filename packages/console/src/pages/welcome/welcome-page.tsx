import { isRedpenError, RedpenError } from '@redpen/client';
import { ArrowRight } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { Button, Input, Label, TextField } from 'react-aria-components';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { startTrial, trialAgents } from '../../reviews/start-trial.ts';
import { addressOf, placeOf } from '../../reviews/trial.ts';
import { useMay, useRedpen } from '../../session/session.tsx';
import { useGo } from '../../shell/key-path.ts';
import { Failure } from '../../ui/failure.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import styles from './welcome.module.css';

const EXAMPLE = 'https://www.example.com/';

/** One field: the page to look at. The review opens while it runs. */
export function WelcomePage() {
  const may = useMay('editor');
  useEffect(() => {
    document.title = 'Review a page · Redpen';
  }, []);
  const { data: agents } = useKeyQuery(['trial-agents'], trialAgents);
  return (
    <div className={styles.welcome}>
      <div className={styles.middle}>
        <h1>Which page shall we look at?</h1>
        {may ? (
          <UrlForm agents={agents?.map(({ id }) => id)} />
        ) : (
          <p>You may read what this workspace has. Editors and owners start reviews.</p>
        )}
        {agents && agents.length > 0 && (
          <section className={styles.agents} aria-label="Agents">
            <p>{agents.length} agents examine it in a browser. None of them needs a model.</p>
            <ul>
              {agents.map(({ id, name, description }) => (
                <li key={id}>
                  <b>{name}</b> <span>{description}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <ShowAsCode
          calls={[
            {
              title: 'Make a document for the findings',
              path: '/v2/organizations/documents/add',
              name: 'documents.add',
              data: {
                organizationId: placeOf(EXAMPLE).organizationId,
                createOrganization: true,
                documents: [{ documentId: placeOf(EXAMPLE).documentId, documentName: 'www.example.com' }],
              },
            },
            {
              title: 'Review the page',
              path: '/v2/reviews/run',
              name: 'reviews.run',
              data: {
                urls: [EXAMPLE],
                agents: agents?.map(({ id }) => id) ?? [],
                ...placeOf(EXAMPLE),
                screenshots: 'all',
              },
            },
          ]}
        />
      </div>
    </div>
  );
}

/** The sentence of the service, which calls the address by its place in the request. */
function aboutAddress(error: unknown, address: string): unknown {
  if (!isRedpenError(error)) return error;
  const message = error.message.replace(/^urls(?:\.0|\[0\])/, address);
  return new RedpenError(error.status, message, error);
}

function UrlForm({ agents }: { agents: readonly string[] | undefined }) {
  const redpen = useRedpen();
  const go = useGo();
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    const address = addressOf(typed);
    if (address === undefined)
      throw new Error(`“${typed.trim()}” is no address of a page. It looks like ${EXAMPLE}`);
    const ids = agents ?? (await trialAgents(redpen)).map(({ id }) => id);
    try {
      go(`/reviews/${await startTrial(redpen, address, ids)}`);
    } catch (error) {
      throw aboutAddress(error, address);
    }
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy || typed.trim() === '') return;
    setBusy(true);
    setFailure(undefined);
    try {
      await start();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        className={styles.field ?? ''}
        value={typed}
        onChange={setTyped}
        autoFocus
        autoComplete="url"
        inputMode="url"
        isInvalid={failure !== undefined}
      >
        <Label className="visually-hidden">Address of the page</Label>
        <Input className={styles.input ?? ''} placeholder="example.com/pricing" spellCheck="false" />
        <Button type="submit" className={styles.go ?? ''} isPending={isBusy}>
          {isBusy ? 'Starting' : 'Review'} <ArrowRight size={18} aria-hidden />
        </Button>
      </TextField>
      {failure !== undefined && <Failure error={failure} />}
    </form>
  );
}
