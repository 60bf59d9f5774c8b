import { useKeyQuery } from '../../data/use-key-query.ts';
import type { problemsOf, ReviewForm } from '../../reviews/review-form.ts';
import { SelectInput } from '../../ui/field.tsx';

const NONE = '';
const MOST = 500;

/** The document on which findings become threads, or none. */
export function DocumentChoice({
  form: { organizationId, documentId },
  problems,
  onChange,
}: {
  form: ReviewForm;
  problems: ReturnType<typeof problemsOf>;
  onChange: (change: Partial<ReviewForm>) => void;
}) {
  const { data: organizations } = useKeyQuery(['organizations', 'choice'], (redpen, signal) =>
    redpen.organizations.all({}, { signal, max: MOST }),
  );
  const { data: documents } = useKeyQuery(
    ['documents', 'choice', organizationId],
    (redpen, signal) => redpen.documents.all({ organizationId: organizationId! }, { signal, max: MOST }),
    { enabled: organizationId !== undefined },
  );
  return (
    <>
      <SelectInput
        label="Organization"
        isOptional
        choices={[
          { id: NONE, label: 'No document' },
          ...(organizations ?? []).map(({ id, organizationName }) => ({ id, label: organizationName || id })),
        ]}
        value={organizationId ?? NONE}
        onChange={(id) => onChange({ organizationId: id || undefined, documentId: undefined })}
        hint="Findings become threads on a document, where people discuss them."
      />
      {organizationId !== undefined && (
        <SelectInput
          label="Document"
          choices={(documents ?? []).flatMap((document) =>
            'documentName' in document
              ? [{ id: document.id, label: String(document.documentName || document.id) }]
              : [],
          )}
          value={documentId}
          error={problems.documentId}
          onChange={(id) => onChange({ documentId: id })}
        />
      )}
    </>
  );
}
