import { useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ModalDialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { SelectInput } from '../../../ui/field.tsx';
import { Time } from '../../../ui/time.ts';

const LIFETIMES = [
  { id: '24', label: 'A day' },
  { id: '168', label: 'A week' },
  { id: '720', label: '30 days' },
  { id: '2160', label: '90 days' },
] as const;

/** Makes a link to the report for people without an account. */
export function ShareDialog({
  reviewId,
  isOpen,
  onClose,
}: {
  reviewId: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  const [hours, setHours] = useState<(typeof LIFETIMES)[number]['id']>('168');
  const share = useKeyMutation((redpen, validForHours: number) =>
    redpen.reviews.share({ reviewId, validForHours }),
  );
  const close = () => {
    share.reset();
    onClose();
  };
  return (
    <ModalDialog
      title="Share the report"
      isOpen={isOpen}
      onClose={close}
      footer={
        share.data ? (
          <CopyButton text={share.data.url} label="Copy the link" />
        ) : (
          <Button variant="primary" isPending={share.isPending} onPress={() => share.mutate(Number(hours))}>
            Create a link
          </Button>
        )
      }
    >
      <p>
        Anyone with the link may read the report, its pictures included, until it ends. It cannot be revoked.
      </p>
      {share.data ? (
        <>
          <CodeBlock label="Link" code={share.data.url} />
          <p>
            It ends <Time at={share.data.expiresAt} />.
          </p>
        </>
      ) : (
        <SelectInput label="Valid for" choices={LIFETIMES} value={hours} onChange={setHours} />
      )}
      {share.error && <Failure error={share.error} />}
    </ModalDialog>
  );
}
