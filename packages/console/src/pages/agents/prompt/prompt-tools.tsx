import { ListChecks, MessageCircleQuestion, Wand } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { useModelState } from '../agents-data.ts';
import { type Fields, isFields, valueAt, withValueAt } from '../editor/json-path.ts';
import styles from './prompt.module.css';
import { QuestionDialog } from './question-dialog.tsx';
import { StructureDialog } from './structure-dialog.tsx';

/** Help with the instructions: settings that suit them, what they leave open, and a structured form with cases. */
export function PromptTools({ value, onChange }: { value: Fields; onChange: (value: Fields) => void }) {
  const model = useModelState();
  const [open, setOpen] = useState<'question' | 'structure'>();
  const instructions = String(value.instructions ?? value.rawInstructions ?? '').trim();
  const suggest = useKeyMutation((redpen, text: string) =>
    redpen.agents.resolveConfig({ instructions: text }),
  );
  const apply = (path: readonly string[], next: unknown, from: Fields = value): Fields => {
    const changed = withValueAt(from, path, next);
    return isFields(changed) ? changed : from;
  };
  const suggestSettings = async (): Promise<void> => {
    const { resolvedConfig: found } = await suggest.mutateAsync(instructions);
    const options = found.strategy_options ?? {};
    const steps: [string[], unknown][] = [
      [['contextGathering', 'strategies'], found.extraction_strategies],
      [['execution', 'executionStrategy'], found.execution_strategy],
      [['execution', 'serviceId'], found.service_id],
      ...Object.entries(options).map(([name, one]): [string[], unknown] => [
        ['contextGathering', 'strategyOptions', name],
        one,
      ]),
    ];
    onChange(steps.reduce((draft, [path, next]) => apply(path, next, draft), value));
    announce(found.reasoning);
  };
  return (
    <div className={styles.tools}>
      <div className={styles.buttons}>
        <Button
          size="small"
          isDisabled={instructions === ''}
          isPending={suggest.isPending}
          onPress={() => void suggestSettings().catch(() => undefined)}
        >
          <Wand /> Suggest settings
        </Button>
        {model?.isConfigured && (
          <>
            <Button size="small" isDisabled={instructions === ''} onPress={() => setOpen('question')}>
              <MessageCircleQuestion /> What is missing?
            </Button>
            <Button size="small" isDisabled={instructions === ''} onPress={() => setOpen('structure')}>
              <ListChecks /> Structure and test cases
            </Button>
          </>
        )}
      </div>
      {model && !model.isConfigured && (
        <p className={styles.note}>
          With a language model, Redpen also asks what the instructions leave open and structures them.
        </p>
      )}
      {suggest.error && <Failure error={suggest.error} />}
      {open === 'question' && (
        <QuestionDialog
          prompt={instructions}
          onClose={() => setOpen(undefined)}
          onAnswer={(answer) => onChange(apply(['instructions'], `${instructions}\n\n${answer}`))}
        />
      )}
      {open === 'structure' && (
        <StructureDialog
          prompt={instructions}
          onClose={() => setOpen(undefined)}
          onUse={({ prompt, descriptions }) => {
            const raw = valueAt(value, ['rawInstructions']) ?? instructions;
            const kept = apply(['rawInstructions'], raw);
            const written = apply(['instructions'], prompt, kept);
            onChange(apply(['execution', 'responseDescriptions'], descriptions, written));
          }}
        />
      )}
    </div>
  );
}
