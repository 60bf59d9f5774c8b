import { useKey } from '../../session/session.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ModalDialog } from '../../ui/dialog.tsx';
import { snippetOf } from './snippet.ts';

/** Says how threads show on the page itself. */
export function EmbedDialog({
  place,
  isOpen,
  onClose,
}: {
  place: { organizationId: string; documentId: string };
  isOpen: boolean;
  onClose: () => void;
}) {
  const { apiKeyId } = useKey().key;
  return (
    <ModalDialog title="Show the threads on your page" kind="wide" isOpen={isOpen} onClose={onClose}>
      <p>
        Add this to the page. People who sign in see pins where threads and findings are, and write comments
        on any element.
      </p>
      <CodeBlock label="Snippet" code={snippetOf(location.origin, { ...place, apiKeyId })} />
      <p>
        Visitors who are not signed in see nothing of it. The origin of the page has to be among the allowed
        domains of the API key.
      </p>
    </ModalDialog>
  );
}
