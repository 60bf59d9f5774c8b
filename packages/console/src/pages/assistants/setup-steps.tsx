import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTokens } from '../../tokens/personal-tokens.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Card } from '../../ui/page.tsx';
import { TabView } from '../../ui/tabs.tsx';
import styles from './assistants.module.css';
import { promptsFor } from './prompts.ts';
import { type MadeSetup, nameOf, waysOf } from './setups.ts';
import { StepList } from './step-list.tsx';

/** The configuration with the new token, which is shown at no other time, and what to ask the assistant first. */
export function SetupSteps({ made, onDone }: { made: MadeSetup; onDone: () => void }) {
  const { id, token, isReadOnly, scopes, tokenId } = made;
  const name = nameOf(id);
  const heading = useRef<HTMLSpanElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const ways = waysOf(id, { origin: location.origin, token, isReadOnly });
  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1} className={styles.title}>
          {id === 'other' ? 'Set up your assistant' : `Set up ${name}`}
        </span>
      }
      lead="The token is shown only now. Copy the configuration before you leave this page."
      actions={<Button onPress={onDone}>Done</Button>}
    >
      {ways.length === 1 ? (
        <StepList steps={ways[0]!.steps} />
      ) : (
        <TabView
          label="Ways to connect"
          kind="segments"
          tabs={ways.map(({ id: way, title, steps }) => ({
            id: way,
            title,
            content: <StepList steps={steps} />,
          }))}
        />
      )}
      <FirstUse tokenId={tokenId} name={id === 'other' ? 'the assistant' : name} />
      <h3 className={styles.sub}>Then ask it</h3>
      <div className={styles.prompts}>
        {promptsFor(scopes).map(({ label, text }) => (
          <CodeBlock key={label} label={label} code={text} isLabelShown />
        ))}
      </div>
    </Card>
  );
}

const LOOKS_MS = 3_000;

/** Says when the assistant has sent its first request, so that the person knows that the configuration works. */
function FirstUse({ tokenId, name }: { tokenId: string; name: string }) {
  const tokens = useTokens((all) =>
    all?.find((one) => one.tokenId === tokenId)?.lastUsedAt === null ? LOOKS_MS : false,
  );
  const isUsed = typeof tokens.data?.find((one) => one.tokenId === tokenId)?.lastUsedAt === 'number';
  return (
    <p role="status" className={styles.use} data-used={isUsed || undefined}>
      {isUsed ? <CircleCheck size={16} aria-hidden /> : <LoaderCircle size={16} aria-hidden />}
      {isUsed
        ? `Connected: ${name} has sent its first request.`
        : `Waiting for the first request of ${name} …`}
    </p>
  );
}
