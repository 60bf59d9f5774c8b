import type { Operations } from '@redpen/client';
import { useState } from 'react';
import { askOnce } from '../../../data/ask-once.ts';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { CheckInput, RadioInput, TextInput } from '../../../ui/field.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Asking } from './asking.tsx';
import styles from './prompt.module.css';

const ENHANCE = '/v2/agents/prompt/enhance';
type Enhanced = Operations[typeof ENHANCE]['result'];

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
  const query = useKeyQuery(
    ['prompt-question', prompt],
    // Repeating a question costs tokens: a person decides that.
    async (redpen, signal) => {
      const { enhancedPrompt } = await askOnce<Enhanced>(redpen, ENHANCE, { prompt }, signal);
      return enhancedPrompt;
    },
    { isOnce: true },
  );
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
      <QueryView query={query} loading={<Asking rows={3} />}>
        {(found) =>
          found.requirement === null ? (
            <p>The instructions leave nothing important open.</p>
          ) : (
            <div className={styles.question}>
              <p>
                <b>{found.requirement}</b>
              </p>
              <p className={styles.note}>{found.context}</p>
              <Answers
                choices={answersOf(found)}
                isMultiple={found.suggestion_type === 'multi-select'}
                chosen={chosen}
                onChoose={setChosen}
              />
              <TextInput label="Your own words" isOptional rows={2} value={own} onChange={setOwn} />
            </div>
          )
        }
      </QueryView>
    </FormDialog>
  );
}

/** The answers to choose from; a question of yes or no may come without them. */
const answersOf = (question: { suggestion: string[]; suggestion_type: string }): string[] =>
  question.suggestion.length === 0 && question.suggestion_type === 'boolean'
    ? ['Yes', 'No']
    : question.suggestion;

function Answers({
  choices,
  isMultiple,
  chosen,
  onChoose,
}: {
  choices: readonly string[];
  isMultiple: boolean;
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
}) {
  if (choices.length === 0) return null;
  if (!isMultiple) {
    return (
      <RadioInput
        label="Answer"
        choices={choices.map((one) => ({ id: one, label: one }))}
        value={chosen[0] ?? ''}
        onChange={(one) => onChoose([one])}
      />
    );
  }
  return choices.map((one) => (
    <CheckInput
      key={one}
      isSelected={chosen.includes(one)}
      onChange={(isSelected) =>
        onChoose(isSelected ? [...chosen, one] : chosen.filter((other) => other !== one))
      }
    >
      {one}
    </CheckInput>
  ));
}
