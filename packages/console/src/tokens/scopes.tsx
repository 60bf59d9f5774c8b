import type { Scope } from '../data/identity.ts';
import { Badge } from '../ui/badge.tsx';
import { CheckInput } from '../ui/field.tsx';
import { Note, Row } from '../ui/stack.tsx';

interface ScopeWords {
  id: Scope;
  label: string;
  hint: string;
  needsEditor: boolean;
}

/** The scopes of personal tokens, in words. */
export const SCOPES: readonly ScopeWords[] = [
  { id: 'read', label: 'Read', hint: 'documents, comments, findings and reviews', needsEditor: false },
  { id: 'comment', label: 'Comment', hint: 'write in threads in your name', needsEditor: true },
  {
    id: 'decide',
    label: 'Decide',
    hint: 'accept and reject findings, which reviews remember; leave it off for assistants',
    needsEditor: true,
  },
  { id: 'review', label: 'Review', hint: 'start reviews of pages', needsEditor: true },
];

/** The scopes in words for assistants: whether to let one decide is a question of its own, so it comes last. */
export const ASSISTANT_SCOPES: readonly ScopeWords[] = [
  ...SCOPES.filter(({ id }) => id !== 'decide'),
  {
    id: 'decide',
    label: 'Decide',
    hint: 'accept and reject findings. Left off, so that a person has the last word on what the assistant mends.',
    needsEditor: true,
  },
];

/** Boxes for the scopes of a token. Those that are not `allowed` are shown, but cannot be ticked. */
export function ScopeBoxes({
  scopes,
  choices = SCOPES,
  mayEdit,
  isReadOnly = false,
  onChange,
}: {
  scopes: readonly Scope[];
  choices?: readonly ScopeWords[];
  /** False for viewers, whose tokens only read. */
  mayEdit: boolean;
  isReadOnly?: boolean;
  onChange: (scopes: Scope[]) => void;
}) {
  return (
    <>
      {choices.map(({ id, label, hint, needsEditor }) => (
        <CheckInput
          key={id}
          isSelected={scopes.includes(id)}
          isDisabled={needsEditor && (!mayEdit || isReadOnly)}
          onChange={(isSelected) =>
            onChange(isSelected ? [...scopes, id] : scopes.filter((scope) => scope !== id))
          }
        >
          <b>{label}</b>: {hint}
        </CheckInput>
      ))}
      {!mayEdit && <Note>As a viewer of the workspace you can only let others read.</Note>}
    </>
  );
}

export const ScopeBadges = ({ scopes }: { scopes: readonly Scope[] }) => (
  <Row>
    {scopes.map((scope) => (
      <Badge key={scope} tone={scope === 'decide' ? 'warn' : 'neutral'}>
        {SCOPES.find(({ id }) => id === scope)?.label ?? scope}
      </Badge>
    ))}
  </Row>
);
