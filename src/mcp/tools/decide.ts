import { z } from 'zod';
import { plural } from '../../lib/text/plural.ts';
import { findingId } from './get-finding.ts';
import { tool } from './tool.ts';

const DECISIONS = {
  accept: 'accepted',
  reject: 'rejected',
  resolve: 'resolved',
  reopen: 'undecided',
} as const;

/** Findings that an assistant may decide on in a minute, and so at once. */
const MOST = 20;

const UNDO: Record<keyof typeof DECISIONS, string> = {
  accept: 'Undo: reopen, or for a suggestion on a document a person decides anew.',
  reject: 'Undo: reopen, or for a suggestion on a document a person decides anew.',
  resolve: 'Undo: reopen.',
  reopen: 'Undo: decide again.',
};

export const decide = tool({
  name: 'decide',
  title: 'Decide on findings',
  description:
    'Accepts (to be fixed), rejects (no fault; reason required), resolves (fixed) or reopens findings, marked as decided by an assistant. Only when the person asked for it; at most 20 a minute.',
  input: z
    .strictObject({
      findingIds: z.array(findingId).min(1).max(MOST),
      decision: z.enum(Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]),
      reason: z.string().trim().min(1).max(2_000).optional(),
    })
    .refine(({ decision, reason }) => decision !== 'reject' || reason !== undefined, {
      path: ['reason'],
      error: 'is required to reject: say why it is no fault, in words that help with similar findings',
    }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ findingIds, decision, reason }, { service }) {
    const decided = await service.call('/v2/agents/findings/decide', {
      findingIds,
      decision: DECISIONS[decision],
      ...(reason !== undefined && { reason }),
      ...(service.author && { actionUser: service.author }),
    });
    const entries = Object.entries(decided).map(([id, { success, message }]) => ({ id, success, message }));
    const done = entries.filter(({ success }) => success);
    const refused = entries.filter(({ success }) => !success).map(({ id, message }) => `${id}: ${message}`);
    return {
      text: [
        `${plural(done.length, 'finding')} ${decision === 'reopen' ? 'reopened' : DECISIONS[decision]}${done.length > 0 ? `: ${done.map(({ id }) => id).join(', ')}` : ''}.`,
        ...(refused.length > 0 ? [`Not decided: ${refused.join('; ')}`] : []),
        ...(done.length > 0 ? [UNDO[decision]] : []),
      ].join('\n'),
      structured: { results: entries },
    };
  },
});
