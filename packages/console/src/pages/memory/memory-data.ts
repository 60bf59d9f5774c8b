import type { Judgment } from '@redpen/client';
import type { Tone } from '../../ui/badge.tsx';

/** Names of what is read from the memory. */
export const MEMORY = ['memory'] as const;

/** The name of the AI assistant that judged for a person. */
export const assistantOf = ({ agent }: Pick<Judgment, 'agent'>): string | undefined =>
  agent?.isAssistant === true && typeof agent.agentName === 'string' ? agent.agentName : undefined;

const DECISIONS: Record<string, { text: string; tone: Tone }> = {
  approve: { text: 'Approved', tone: 'good' },
  reject: { text: 'Rejected', tone: 'bad' },
  comment: { text: 'Commented', tone: 'neutral' },
  resolve: { text: 'Resolved', tone: 'good' },
  in_progress: { text: 'In progress', tone: 'busy' },
  agree: { text: 'Agreed', tone: 'good' },
  disagree: { text: 'Disagreed', tone: 'bad' },
  endorse: { text: 'Endorsed', tone: 'good' },
};

export const decisionOf = (decision: string): { text: string; tone: Tone } =>
  DECISIONS[decision] ?? { text: decision, tone: 'neutral' };

const ORIGINS: Record<string, string> = {
  import: 'Imported',
  suggestion: 'On a suggestion',
  status: 'By a status',
  comment: 'In a comment',
  finding: 'On a finding',
};

export const originOf = (origin: string): string => ORIGINS[origin] ?? origin;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
