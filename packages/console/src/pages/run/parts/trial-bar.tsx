import type { ReviewRecord } from '@redpen/client';
import { useQueryClient } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { useKeyQuery } from '../../../data/use-key-query.ts';
import { discardPlace, keepPlace, projectNameOf, type TrialPlace } from '../../../reviews/trial.ts';
import { useKey, useMay, useRedpen } from '../../../session/session.tsx';
import { useGo } from '../../../shell/key-path.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { TextInput } from '../../../ui/field.tsx';
import { announce } from '../../../ui/toasts.tsx';
import styles from '../run.module.css';

/** Offers to keep the document that was made for a first review, or to discard it. */
export const TrialBar = memo(function TrialBar({ review: { metadata, urls } }: { review: ReviewRecord }) {
  const { organizationId, documentId } = metadata;
  const may = useMay('editor');
  const [open, setOpen] = useState<'keep' | 'discard'>();
  const { data: isTrial } = useKeyQuery(
    ['trial', organizationId, documentId],
    async (redpen, signal) => {
      const [document] = await redpen.documents.list(
        { organizationId, documentIds: [documentId] },
        { signal },
      );
      return document !== undefined && 'trial' in document && document.trial === true;
    },
    { enabled: documentId !== '' },
  );
  if (!isTrial || !may) return null;
  const place = { organizationId, documentId };
  return (
    <div className={styles.trial} role="note">
      <p>
        <b>This is a first look.</b> Keep the page as a project to review it again, compare, and discuss its
        findings.
      </p>
      <span>
        <Button size="small" variant="quiet" onPress={() => setOpen('discard')}>
          Discard
        </Button>
        <Button size="small" variant="primary" onPress={() => setOpen('keep')}>
          Keep as project
        </Button>
      </span>
      <KeepDialog {...{ place, urls }} isOpen={open === 'keep'} onClose={() => setOpen(undefined)} />
      <DiscardDialog place={place} isOpen={open === 'discard'} onClose={() => setOpen(undefined)} />
    </div>
  );
});

interface PlaceDialogProps {
  place: TrialPlace;
  isOpen: boolean;
  onClose: () => void;
}

function KeepDialog({ place, urls: [url = ''], isOpen, onClose }: PlaceDialogProps & { urls: string[] }) {
  const redpen = useRedpen();
  const { apiKeyId } = useKey().key;
  const queries = useQueryClient();
  const [organizationName, setOrganizationName] = useState(new URL(url).host);
  const [documentName, setDocumentName] = useState(projectNameOf(url));
  const keep = async (): Promise<void> => {
    await keepPlace(redpen, place, {
      organizationName: organizationName.trim(),
      documentName: documentName.trim(),
    });
    await queries.invalidateQueries({ queryKey: [apiKeyId] });
    announce(`${documentName.trim()} is a project now`);
  };
  return (
    <FormDialog
      title="Keep as project"
      isOpen={isOpen}
      onClose={onClose}
      submitLabel="Keep"
      canSubmit={organizationName.trim() !== '' && documentName.trim() !== ''}
      onSubmit={keep}
    >
      <TextInput
        label="Project name"
        autoFocus
        value={documentName}
        onChange={setDocumentName}
        hint="The document that holds findings and comments."
      />
      <TextInput
        label="Organization"
        value={organizationName}
        onChange={setOrganizationName}
        hint="Holds the documents of one site or customer."
      />
    </FormDialog>
  );
}

function DiscardDialog({ place, isOpen, onClose }: PlaceDialogProps) {
  const redpen = useRedpen();
  const { apiKeyId } = useKey().key;
  const queries = useQueryClient();
  const go = useGo();
  const discard = async (): Promise<void> => {
    await discardPlace(redpen, place);
    await queries.invalidateQueries({ queryKey: [apiKeyId] });
    announce('The document and its findings are deleted');
    go('/welcome');
  };
  return (
    <FormDialog
      title="Discard this first look?"
      role="alertdialog"
      isOpen={isOpen}
      onClose={onClose}
      submitLabel="Delete the document"
      isDanger
      onSubmit={discard}
    >
      <p>
        The document, its findings, comments and decisions are deleted. The review itself stays in the list of
        reviews.
      </p>
    </FormDialog>
  );
}
