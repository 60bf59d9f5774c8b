import { useState } from 'react';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { CheckInput, RadioInput, TextInput } from '../../../ui/field.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import styles from './prompt.module.css';

/** Asks about the most important gap in the instructions, and adds the answer to them. */
export function QuestionDialog({
  prompt,
  onClose,
  onAnswer,
}: {
  prompt: string;
  onClose: () => void;
  onAnswer: (text: string) => void;
}) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [own, setOwn] = useState('');
  const query = useKeyQuery(['prompt-question', prompt], async (redpen, signal) => {
    const { enhancedPrompt } = await redpen.prompts.enhance({ prompt }, { signal, timeoutMs: 120_000 });
    return enhancedPrompt;
  });
  const question = query.data?.requirement ?? undefined;
  const answers = [...chosen, own.trim()].filter((one) => one !== '');
  return (
    <FormDialog
      title="What is missing?"
      isOpen
      onClose={onClose}
      submitLabel="Add to the instructions"
      canSubmit={question !== undefined && answers.length > 0}
      onSubmit={async () => onAnswer(`${question}\n${answers.join('\n')}`)}
    >
      <QueryView query={query}>
        {(found) =>
          found.requirement === null ? (
            <p>The instructions leave nothing important open.</p>
          ) : (
            <div className={styles.question}>
              <p>
                <b>{found.requirement}</b>
              </p>
              <p className={styles.note}>{found.context}</p>
              {found.suggestion_type === 'multi-select' ? (
                found.suggestion.map((one) => (
                  <CheckInput
                    key={one}
                    isSelected={chosen.includes(one)}
                    onChange={(isSelected) =>
                      setChosen(isSelected ? [...chosen, one] : chosen.filter((other) => other !== one))
                    }
                  >
                    {one}
                  </CheckInput>
                ))
              ) : (
                <RadioInput
                  label="Answer"
                  choices={found.suggestion.map((one) => ({ id: one, label: one }))}
                  value={chosen[0] ?? ''}
                  onChange={(one) => setChosen([one])}
                />
              )}
              <TextInput label="Your own words" isOptional rows={2} value={own} onChange={setOwn} />
            </div>
          )
        }
      </QueryView>
    </FormDialog>
  );
}
