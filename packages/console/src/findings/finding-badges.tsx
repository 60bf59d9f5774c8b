import { Check, CheckCheck, X } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';
import type { DecisionShown } from './decision-queue.ts';

const LOOKS = {
  accepted: { tone: 'good', label: 'Accepted', icon: Check },
  rejected: { tone: 'neutral', label: 'Rejected', icon: X },
  resolved: { tone: 'good', label: 'Resolved', icon: Check },
} as const;

/** A decision; nothing for findings that are undecided. */
export function DecisionBadge({ shown: { decision, isPending, assistant } }: { shown: DecisionShown }) {
  if (decision === 'undecided') return null;
  const { tone, label, icon: Icon } = LOOKS[decision];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden /> {label}
      {assistant !== undefined && ` by an assistant: ${assistant}`}
      {isPending && <span className="visually-hidden">, can still be undone</span>}
    </Badge>
  );
}

/** What has become of a finding since the run before. */
export function StateBadge({ state }: { state: 'new' | 'still_there' | 'fixed' | undefined }) {
  if (state === 'new') return <Badge tone="busy">New</Badge>;
  if (state === 'fixed')
    return (
      <Badge tone="good">
        <CheckCheck aria-hidden /> Fixed
      </Badge>
    );
  return null;
}
