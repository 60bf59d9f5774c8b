import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { useMay } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { plural } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import styles from '../memory.module.css';
import { MEMORY } from '../memory-data.ts';
import { FILE_TYPES, mediaTypeOf } from './knowledge-data.ts';

/** Uploads a file, and waits until the memory has read it. */
export function UploadButton() {
  const mayEdit = useMay('editor');
  const [step, setStep] = useState('');
  const upload = useKeyMutation(
    (redpen, file: File) => {
      setStep(`${file.name} is being sent.`);
      return redpen.knowledge.upload(file, {
        fileName: file.name,
        mimeType: mediaTypeOf(file),
        onProgress: ({ sent, total }) => {
          if (sent >= total) setStep(`${file.name} is being read.`);
        },
      });
    },
    { renews: [MEMORY] },
  );
  if (!mayEdit) return null;
  const send = async (file: File): Promise<void> => {
    try {
      const { extractedRulesCount = 0, dedupOf } = await upload.mutateAsync(file);
      announce(
        dedupOf
          ? `${file.name} was there already.`
          : `${file.name} is read: ${plural(extractedRulesCount, 'rule')}.`,
      );
    } finally {
      setStep('');
    }
  };
  return (
    <>
      <span role="status" className={styles.small}>
        {step}
      </span>
      <FileTrigger
        acceptedFileTypes={FILE_TYPES}
        onSelect={(files) => {
          const file = files?.[0];
          if (file) void send(file).catch(() => undefined);
        }}
      >
        <Button variant="primary" isPending={upload.isPending}>
          <FileUp /> Upload a file
        </Button>
      </FileTrigger>
      {upload.error && <Failure error={upload.error} />}
    </>
  );
}
