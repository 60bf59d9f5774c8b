import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { MEDIA_TYPES } from '../../../data/media-of-files.ts';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { TextInput } from '../../../ui/field.tsx';
import { useModelState } from '../agents-data.ts';
import { ChecklistAgents } from './checklist-agents.tsx';
import styles from './create.module.css';
import { base64Of, mediaTypeOf } from './file-content.ts';

const MAX_BYTES = 5 * 1024 * 1024;

interface Source {
  content: Blob;
  mimeType: string;
  fileName: string;
}

/** Makes agents of the items of a checklist. */
export function ChecklistStart() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const model = useModelState();
  const extract = useKeyMutation(async (redpen, { content, mimeType, fileName }: Source) => {
    const fileBase64 = await base64Of(content);
    const data = { fileBase64, mimeType, fileName };
    return (await redpen.agents.extract(data, { timeoutMs: 300_000 })).extractionResult;
  });
  const readFile = (files: FileList | null): void => {
    const file = files?.[0];
    if (!file) return;
    const mimeType = mediaTypeOf(file);
    if (mimeType === undefined) setProblem('This kind of file cannot be read.');
    else if (file.size > MAX_BYTES) setProblem('The file is larger than 5 MiB.');
    else {
      setProblem(undefined);
      extract.mutate({ content: file, mimeType, fileName: file.name });
    }
  };
  const readText = (): void => {
    setProblem(undefined);
    extract.mutate({ content: new Blob([text]), mimeType: 'text/plain', fileName: 'checklist.txt' });
  };
  if (extract.data) {
    return (
      <ChecklistAgents
        agents={extract.data.agents}
        summary={extract.data.summary}
        skipped={extract.data.skipped}
        onBack={() => extract.reset()}
      />
    );
  }
  return (
    <div className={styles.section}>
      <TextInput
        label="Checklist"
        hint={
          model?.isConfigured
            ? 'A language model reads it and writes instructions for each item.'
            : 'Each line or list item becomes an agent. With a language model, related items are also combined.'
        }
        placeholder={'- All links work\n- Every picture has an alternative text\n- Prices are shown with tax'}
        rows={10}
        value={text}
        onChange={setText}
      />
      {problem && <Failure error={problem} />}
      {extract.error && <Failure error={extract.error} />}
      <div className={styles.buttons}>
        <Button
          variant="primary"
          isDisabled={text.trim() === ''}
          isPending={extract.isPending}
          onPress={readText}
        >
          Read the checklist
        </Button>
        <FileTrigger acceptedFileTypes={Object.values(MEDIA_TYPES)} onSelect={readFile}>
          <Button isDisabled={extract.isPending}>
            <FileUp /> Choose a file
          </Button>
        </FileTrigger>
        <span className={styles.note}>PDF, Excel, CSV, Markdown or text of at most 5 MiB.</span>
      </div>
    </div>
  );
}
