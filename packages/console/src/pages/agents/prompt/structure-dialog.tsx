import type { Operations } from '@redpen/client';
import { useState } from 'react';
import { askOnce } from '../../../data/ask-once.ts';
import { useKeyMutation, useKeyQuery } from '../../../data/use-key-query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { TextInput } from '../../../ui/field.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Asking } from './asking.tsx';
import styles from './prompt.module.css';

const VALIDATE = '/v2/agents/prompt/validate';
const REFINE = '/v2/agents/prompt/refine';
type Validated = Operations[typeof VALIDATE]['result'];
type Refined = Operations[typeof REFINE]['result'];

interface Structured {
  prompt: string;
  descriptions: Record<string, string>;
}

/** A case that shows what the agent is to detect, and what not. */
interface Case {
  id: string;
  title: string;
  html: string;
  expected: string;
  reason: string;
}

/** The instructions in a structured form, with cases whose corrections refine it. */
export function StructureDialog({
  prompt,
  onClose,
  onUse,
}: {
  prompt: string;
  onClose: () => void;
  onUse: (structured: Structured) => void;
}) {
  const query = useKeyQuery(
    ['prompt-structure', prompt],
    // Repeating a question costs tokens: a person decides that.
    async (redpen, signal) => {
      const { validationResult } = await askOnce<Validated>(redpen, VALIDATE, { prompt }, signal);
      return validationResult;
    },
    { isOnce: true },
  );
  const [feedback, setFeedback] = useState<Record<string, string>>({});
  const refine = useKeyMutation(async (redpen, { from, cases }: { from: string; cases: readonly Case[] }) => {
    const { refinerResult } = await askOnce<Refined>(redpen, REFINE, {
      analysisPrompt: from,
      demoFeedback: cases.map(({ id, title, html, expected }) => ({
        demoId: id,
        demoTitle: title,
        demoHtml: html,
        demoExpected: expected,
        feedback: feedback[id] ?? '',
      })),
    });
    return refinerResult;
  });
  const shown = refine.data ?? query.data;
  return (
    <FormDialog
      title="Structure and test cases"
      kind="wide"
      isOpen
      onClose={onClose}
      submitLabel="Use these instructions"
      canSubmit={shown !== undefined}
      onSubmit={async () => {
        if (shown) onUse({ prompt: shown.analysis_prompt, descriptions: shown.response_descriptions });
      }}
    >
      <QueryView query={query} loading={<Asking rows={5} />}>
        {(found) => {
          const corrected = found.demos.cases.filter(({ id }) => (feedback[id] ?? '').trim() !== '');
          return (
            <>
              <h3>Instructions</h3>
              <CodeBlock label="Structured instructions" code={shown?.analysis_prompt ?? ''} />
              <h3>Test cases</h3>
              <Cases cases={found.demos.cases} feedback={feedback} onFeedback={setFeedback} />
              {refine.error && <Failure error={refine.error} />}
              <div>
                <Button
                  isDisabled={corrected.length === 0}
                  isPending={refine.isPending}
                  onPress={() => refine.mutate({ from: shown?.analysis_prompt ?? prompt, cases: corrected })}
                >
                  Refine by {corrected.length === 1 ? 'the correction' : 'the corrections'}
                </Button>
              </div>
            </>
          );
        }}
      </QueryView>
    </FormDialog>
  );
}

const Cases = ({
  cases,
  feedback,
  onFeedback,
}: {
  cases: readonly Case[];
  feedback: Record<string, string>;
  onFeedback: (feedback: Record<string, string>) => void;
}) => (
  <ol className={styles.cases}>
    {cases.map(({ id, title, html, expected, reason }) => (
      <li key={id}>
        <div className={styles.caseHead}>
          <b>{title}</b>
          <Badge tone={expected === 'detected' ? 'warn' : 'neutral'}>
            {expected === 'detected' ? 'A finding is expected' : 'No finding is expected'}
          </Badge>
        </div>
        <p className={styles.note}>{reason}</p>
        <CodeBlock label={`HTML of ${title}`} code={html} />
        <TextInput
          label="Correction"
          isOptional
          placeholder="Leave empty if this is right."
          value={feedback[id] ?? ''}
          onChange={(text) => onFeedback({ ...feedback, [id]: text })}
        />
      </li>
    ))}
  </ol>
);
