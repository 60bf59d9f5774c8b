import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../../data/use-key-query.ts';
import { useMay } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormDialog, ModalDialog } from '../../../ui/dialog.tsx';
import { TextInput } from '../../../ui/field.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { plural } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import styles from '../memory.module.css';
import { MEMORY } from '../memory-data.ts';
import { KNOWLEDGE, type KnowledgeSource } from './knowledge-data.ts';

/** The rules of a file, which can be replaced. */
export function KnowledgeDialog({ source, onClose }: { source: KnowledgeSource; onClose: () => void }) {
  const mayEdit = useMay('editor');
  const [isReplacing, setReplacing] = useState(false);
  const { id: sourceId, fileName, metadata } = source;
  const rules = useKeyQuery([...KNOWLEDGE, 'rules', sourceId], (redpen, signal) =>
    redpen.knowledge.rules({ sourceId }, { signal }),
  );
  if (isReplacing && rules.data) {
    const text = rules.data.map(({ content }) => `- ${content}`).join('\n');
    return <ReplaceDialog sourceId={sourceId} fileName={fileName} text={text} onClose={onClose} />;
  }
  return (
    <ModalDialog
      title={fileName}
      kind="side"
      isOpen
      onClose={onClose}
      footer={mayEdit && rules.data && <Button onPress={() => setReplacing(true)}>Replace the rules</Button>}
    >
      {metadata?.notes?.map((note) => (
        <p key={note} className={styles.muted}>
          {note}
        </p>
      ))}
      <QueryView query={rules}>
        {(found) => (
          <>
            <p className={styles.small}>{plural(found.length, 'rule')}</p>
            <ol className={styles.cited}>
              {found.map(({ id, content, category }) => (
                <li key={id}>
                  {content}
                  {category && <div className={styles.small}>{category}</div>}
                </li>
              ))}
            </ol>
          </>
        )}
      </QueryView>
    </ModalDialog>
  );
}

function ReplaceDialog({
  sourceId,
  fileName,
  text,
  onClose,
}: {
  sourceId: string;
  fileName: string;
  text: string;
  onClose: () => void;
}) {
  const [content, setContent] = useState(text);
  const replace = useKeyMutation(
    (redpen, newContent: string) => redpen.knowledge.update({ sourceId, newContent }),
    { renews: [MEMORY] },
  );
  return (
    <FormDialog
      title={`Rules of ${fileName}`}
      kind="wide"
      isOpen
      onClose={onClose}
      submitLabel="Replace the rules"
      canSubmit={content.trim() !== ''}
      onSubmit={async () => {
        const { diff } = await replace.mutateAsync(content);
        announce(`${diff.added.length} added, ${diff.removed.length} removed, ${diff.unchanged} kept.`);
      }}
    >
      <TextInput
        label="Rules"
        hint="A list, one rule a line."
        rows={14}
        value={content}
        onChange={setContent}
      />
    </FormDialog>
  );
}
