import type { ReviewRecord } from '@redpen/client';
import { Check, CircleAlert, LoaderCircle, TriangleAlert } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';

const LOOKS = {
  clean: { tone: 'good', label: 'Clean', icon: Check },
  findings: { tone: 'warn', label: 'Findings', icon: TriangleAlert },
  incomplete: { tone: 'warn', label: 'Incomplete', icon: CircleAlert },
  broken: { tone: 'bad', label: 'Broken', icon: CircleAlert },
} as const;

/** The verdict on a review, or that it is running. */
export function VerdictBadge({ review: { status, verdict } }: { review: ReviewRecord }) {
  if (status === 'running' || verdict === undefined)
    return (
      <Badge tone="busy">
        <LoaderCircle aria-hidden /> Running
      </Badge>
    );
  const { tone, label, icon: Icon } = LOOKS[verdict];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden /> {label}
    </Badge>
  );
}
