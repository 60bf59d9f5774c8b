import type { PersonalToken } from '../data/identity.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Note, Row } from '../ui/stack.tsx';
import { type Column, DataTable } from '../ui/table.tsx';
import { Time } from '../ui/time.ts';
import { hostOfClient, isOfAssistant } from './personal-tokens.ts';
import { ScopeBadges } from './scopes.tsx';

/** The name of a token, which says whether an assistant uses it, and of which host. */
function TokenName({ token, isMarked }: { token: PersonalToken; isMarked: boolean }) {
  const host = hostOfClient(token);
  return (
    <Row>
      {token.name}
      {isMarked && isOfAssistant(token) && <Badge>Assistant</Badge>}
      {host !== undefined && <Note>{host}</Note>}
    </Row>
  );
}

/** Tokens with who they act as, what they may do, and until when. */
export function TokenTable({
  label,
  tokens,
  marksAssistants = true,
  onRevoke,
}: {
  label: string;
  tokens: readonly PersonalToken[];
  /** False where all are tokens of assistants. */
  marksAssistants?: boolean;
  onRevoke: (token: PersonalToken) => void;
}) {
  const columns: readonly Column<PersonalToken>[] = [
    {
      id: 'name',
      header: 'Name',
      kind: 'main',
      cell: (token) => <TokenName token={token} isMarked={marksAssistants} />,
    },
    { id: 'member', header: 'Acts as', cell: ({ member }) => member.name },
    { id: 'scopes', header: 'Scopes', cell: ({ scopes }) => <ScopeBadges scopes={scopes} /> },
    {
      id: 'used',
      header: 'Last used',
      kind: 'tight',
      isNamedWhenNarrow: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    },
    {
      id: 'expires',
      header: 'Expires',
      kind: 'tight',
      isNamedWhenNarrow: true,
      cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />),
    },
    {
      id: 'revoke',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (token) => (
        <Button
          size="small"
          variant="danger"
          aria-label={`Revoke ${token.name}`}
          onPress={() => onRevoke(token)}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return <DataTable label={label} columns={columns} rows={tokens} keyOf={({ tokenId }) => tokenId} />;
}
