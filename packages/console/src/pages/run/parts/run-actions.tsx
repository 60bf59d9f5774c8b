import type { ReviewRecord } from '@redpen/client';
import { Download, RotateCw, Share2, Square } from 'lucide-react';
import { memo, useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { useKey, useMay } from '../../../session/session.tsx';
import { fileUrl } from '../../../session/session-fetch.ts';
import { useGo } from '../../../shell/key-path.ts';
import { Button } from '../../../ui/button.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { ShareDialog } from './share-dialog.tsx';

const FORMATS = [
  ['html', 'HTML', 'One file with pictures, for people'],
  ['json', 'JSON', 'Everything, for programs'],
  ['csv', 'CSV', 'For spreadsheets'],
  ['markdown', 'Markdown', 'For issues and chats'],
  ['sarif', 'SARIF', 'For code scanning'],
  ['junit', 'JUnit', 'For CI servers'],
  ['codequality', 'Code Quality', 'For GitLab'],
  ['text', 'Text', 'For terminals'],
] as const;

const ENDINGS: Record<string, string> = { markdown: 'md', junit: 'xml', codequality: 'json', text: 'txt' };

/** Downloads a file of the service under a name of its own. */
function download(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** What can be done with a review. */
export const RunActions = memo(function RunActions({ review }: { review: ReviewRecord }) {
  const mayRun = useMay('editor');
  const { apiKeyId } = useKey().key;
  const [isSharing, setSharing] = useState(false);
  const go = useGo();
  const again = useKeyMutation(async (redpen, _: undefined) => {
    const { urls, agents, config, metadata } = review;
    const { organizationId, documentId } = metadata;
    return await redpen.reviews.run({
      urls,
      agents: agents.map(({ agentId }) => agentId),
      ...config,
      ...(documentId && { organizationId, documentId }),
    });
  });
  const cancel = useKeyMutation((redpen, _: undefined) => redpen.reviews.cancel({ reviewId: review.id }), {
    renews: [['review', review.id]],
  });
  const isRunning = review.status === 'running';
  const runAgain = () =>
    again.mutate(undefined, {
      onSuccess: ({ reviewId }) => go(`/reviews/${reviewId}`),
      onError: (error) => announce(error.message),
    });
  const path = `/v2/reviews/${encodeURIComponent(review.id)}/report`;
  return (
    <>
      {mayRun && isRunning && (
        <Button
          isPending={cancel.isPending}
          onPress={() => cancel.mutate(undefined, { onError: (error) => announce(error.message) })}
        >
          <Square /> Cancel
        </Button>
      )}
      {mayRun && !isRunning && (
        <Button onPress={runAgain} isPending={again.isPending}>
          <RotateCw /> Run again
        </Button>
      )}
      <ActionMenu
        label="Export"
        trigger={
          <Button>
            <Download /> Export
          </Button>
        }
        entries={FORMATS.map(([format, label, hint]) => ({
          id: format,
          label,
          hint,
          onAction: () =>
            download(
              fileUrl(apiKeyId, `${path}?format=${format}`),
              `review-${review.id}.${ENDINGS[format] ?? format}`,
            ),
        }))}
      />
      <Button onPress={() => setSharing(true)}>
        <Share2 /> Share
      </Button>
      <ShareDialog reviewId={review.id} isOpen={isSharing} onClose={() => setSharing(false)} />
    </>
  );
});
