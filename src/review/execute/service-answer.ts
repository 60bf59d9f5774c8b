import { z } from 'zod';
import { shorten } from '../../lib/text/cut-text.ts';
import type { DataBlock } from '../../outside/models/data-blocks.ts';
import type { DraftFinding } from '../../shapes/agents/execution.ts';
import {
  type Answer,
  answerSchema,
  lenientSeverity,
  lenientText,
  requiredObject,
} from '../prompt/finding-schema.ts';
import { severityOf } from '../prompt/to-drafts.ts';

/** Findings that a model is shown; further ones stay as they are. */
const MAX_SHOWN = 100;
const MAX_WORDS = 2_000;

/** The model's changes to one finding of the service. */
interface FindingChange {
  number: number;
  verdict?: unknown;
  reason?: unknown;
  severity?: unknown;
  explanation?: unknown;
  suggestion?: unknown;
}

export interface ServiceAnswer extends Answer {
  /** Required by the schema that is sent; a model that leaves it out changes nothing. */
  facts?: FindingChange[] | undefined;
}

/** Schema of an answer with changes to the findings of the service. */
export const serviceAnswerSchema = (
  responseDescriptions: unknown,
  moreOfEach: Record<string, z.ZodType> = {},
): z.ZodType<ServiceAnswer> =>
  answerSchema(
    responseDescriptions,
    {
      facts: z
        .array(
          requiredObject({
            number: z.number().describe('The number of the finding in the data block service-findings.'),
            verdict: z
              .unknown()
              .optional()
              .meta({
                type: 'string',
                enum: ['keep', 'dismiss'],
                description: 'dismiss only for a plain false alarm.',
              }),
            reason: lenientText('Why it is dismissed; empty where it is kept.'),
            severity: lenientSeverity('How much harm it does on this page.'),
            explanation: lenientText('What it means here, where more can be said than it says; else empty.'),
            suggestion: lenientText(
              'What to do about it here, where more can be said than it says; else empty.',
            ),
          }),
        )
        .optional()
        .describe(
          'One entry for each finding of service-findings that you change; the others stay as they are.',
        ),
    },
    moreOfEach,
  ) as z.ZodType<ServiceAnswer>;

/** The findings of a service as a model reads them. */
export function serviceBlock(findings: readonly DraftFinding[]): DataBlock {
  const shown = findings.slice(0, MAX_SHOWN).map((finding, index) => {
    const { title, description, severity, issueType, targetText, htmlSelector, suggestion } = finding;
    return JSON.stringify({
      number: index + 1,
      title,
      description: shorten(description, MAX_WORDS),
      severity,
      issueType,
      ...(targetText && { targetText: shorten(targetText, 200) }),
      ...(htmlSelector && { htmlSelector: shorten(htmlSelector, 300) }),
      ...(suggestion && { suggestion: shorten(suggestion, 500) }),
    });
  });
  const more = findings.length > MAX_SHOWN ? `\n(${findings.length - MAX_SHOWN} more are not shown)` : '';
  return {
    name: 'service-findings',
    parts: [{ text: `${shown.length > 0 ? shown.join('\n') : '(none)'}${more}` }],
  };
}

export interface AppliedChanges {
  findings: DraftFinding[];
  dismissed: { finding: DraftFinding; reason: string }[];
}

/** Applies the model's changes: findings are explained, graded anew, or dismissed with a reason. */
export function applyChanges(
  findings: readonly DraftFinding[],
  facts: readonly FindingChange[],
): AppliedChanges {
  const byNumber = new Map(facts.map((fact) => [fact.number, fact]));
  const kept: DraftFinding[] = [];
  const dismissed: AppliedChanges['dismissed'] = [];
  for (const [index, finding] of findings.entries()) {
    const fact = byNumber.get(index + 1);
    const reason = wordsOf(fact?.reason);
    if (!fact) kept.push(finding);
    else if (fact.verdict === 'dismiss' && reason !== '') dismissed.push({ finding, reason });
    else {
      const explanation = wordsOf(fact.explanation);
      const suggestion = wordsOf(fact.suggestion);
      kept.push({
        ...finding,
        severity: wordsOf(fact.severity) === '' ? finding.severity : severityOf(fact.severity),
        ...(explanation !== '' && { description: `${finding.description}\n${explanation}` }),
        ...(suggestion !== '' && { suggestion }),
      });
    }
  }
  return { findings: kept, dismissed };
}

const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? shorten(value.trim(), MAX_WORDS) : '';
