import { type FormEvent, useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { TextInput } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { plural } from '../../../ui/time.ts';
import styles from '../memory.module.css';
import { percent } from '../memory-data.ts';
import { Recommendation } from './recommendation.tsx';

/** Questions to the memory: in words, and about a decision that is to be made. */
export const AskPanel = () => (
  <div className={styles.columns}>
    <Question />
    <Prediction />
  </div>
);

const MODEL_MS = 120_000;

function Question() {
  const [question, setQuestion] = useState('');
  const ask = useKeyMutation((redpen, text: string) =>
    redpen.memory.ask({ question: text }, { timeoutMs: MODEL_MS }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (question.trim() !== '') ask.mutate(question.trim());
  };
  return (
    <Card title="Ask a question" lead="A language model answers from all that the memory has.">
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          label="Question"
          rows={3}
          placeholder="What did we decide on prices without tax?"
          value={question}
          onChange={setQuestion}
        />
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant="primary"
            isDisabled={question.trim() === ''}
            isPending={ask.isPending}
          >
            Ask
          </Button>
        </div>
      </form>
      {ask.error && <Failure error={ask.error} />}
      {ask.data && (
        <div className={styles.answer} role="status">
          {ask.data.answer === '' ? (
            <p>The memory has nothing on that.</p>
          ) : (
            <>
              <p>{ask.data.answer}</p>
              <div className={styles.head}>
                <Badge>{percent(ask.data.confidence)} certain</Badge>
                <span className={styles.small}>{plural(ask.data.recordsSearched, 'record')} read</span>
              </div>
              <ol className={styles.cited} aria-label="What the answer is based on">
                {ask.data.citations.map(({ recordId, snippet }) => (
                  <li key={`${recordId} ${snippet}`}>
                    <q className={styles.quote}>{snippet}</q>
                    <div className={styles.small}>
                      <code>{recordId}</code>
                    </div>
                  </li>
                ))}
              </ol>
            </>
          )}
        </div>
      )}
    </Card>
  );
}

function Prediction() {
  const [query, setQuery] = useState('');
  const suggest = useKeyMutation((redpen, text: string) => redpen.memory.suggest({ query: text }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (query.trim() !== '') suggest.mutate(query.trim());
  };
  const found = suggest.data;
  return (
    <Card title="Predict a decision" lead="From decisions on similar content, without a language model.">
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          label="What is to be decided"
          rows={3}
          placeholder="The price is shown without tax."
          value={query}
          onChange={setQuery}
        />
        <div className={styles.buttons}>
          <Button type="submit" isDisabled={query.trim() === ''} isPending={suggest.isPending}>
            Predict
          </Button>
        </div>
      </form>
      {suggest.error && <Failure error={suggest.error} />}
      {found && (
        <div className={styles.answer} role="status">
          {found.primary ? (
            <Recommendation value={found.primary} />
          ) : (
            <p>There are too few decisions on similar content.</p>
          )}
          {found.conflict && (
            <>
              <p className={styles.muted}>Others decided the opposite:</p>
              <Recommendation value={found.conflict} />
            </>
          )}
        </div>
      )}
    </Card>
  );
}
