import { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import { severities } from '../../shapes/agents/execution.ts';

/** A finding in a model's answer. Fields of unknown type are normalized by `toDrafts`. */
export interface AnsweredFinding {
  title: string;
  description: string;
  severity?: unknown;
  issueType?: unknown;
  targetText?: unknown;
  occurrence?: unknown;
  suggestion?: unknown;
  htmlSelector?: unknown;
  isPageLevel?: unknown;
  findingType?: unknown;
  confidence?: unknown;
  /** Page of the finding, in a review that visits several pages. */
  pageUrl?: unknown;
  /** Marks of the memory entries that it rests on. */
  groundedBy?: unknown;
}

export interface Answer {
  summary?: unknown;
  findings: AnsweredFinding[];
}

type Shape = Record<string, z.ZodType>;

/** Descriptions of the fields for the model; agents may replace them. */
const DESCRIPTIONS = {
  summary: 'One or two sentences on what the review came to.',
  title: 'What is wrong, in a few words.',
  description: 'What exactly is wrong, and for whom that matters.',
  severity: 'How much harm it does.',
  issueType: 'The kind of issue as a lower-case, hyphenated tag, such as broken-link or spelling.',
  targetText:
    'The words of the page that it is about, quoted exactly and no longer than needed; empty where it is not about words.',
  occurrence: 'Which appearance of targetText on the page is meant, from 1.',
  suggestion:
    'What to do about it; for wording, the corrected words alone. Empty where there is nothing to say.',
  htmlSelector: 'CSS selector of the element that it is about; empty where there is none.',
  isPageLevel: 'Whether it is about the page as a whole rather than one place on it.',
  findingType: 'text for words, pin for an element, page for the page as a whole.',
  confidence: 'How sure you are, from 0 to 100.',
};
type Field = keyof typeof DESCRIPTIONS;

/**
 * A field that the schema describes but that is not validated: some providers do not enforce the schema, and a number in
 * quotes must not cost the whole answer.
 */
const lenient = (type: string, description: string, more: Fields = {}) =>
  z
    .unknown()
    .optional()
    .meta({ type, description, ...more });

/**
 * An object whose schema requires each field, since structured output has no optional fields. Fields must not have
 * bounds, patterns or defaults, which some providers refuse.
 */
export const requiredObject = <Fields extends Shape>(fields: Fields) =>
  z.object(fields).meta({ required: Object.keys(fields) });

export const lenientSeverity = (description = DESCRIPTIONS.severity) =>
  lenient('string', description, { enum: [...severities] });
export const lenientText = (description: string) => lenient('string', description);

/**
 * Schema of a model's answer. Descriptions of the agent (`execution.responseDescriptions`) replace ours. `more` adds
 * fields to the answer, `moreOfEach` to each finding.
 */
export function answerSchema(
  responseDescriptions?: unknown,
  more: Shape = {},
  moreOfEach: Shape = {},
): z.ZodType<Answer> {
  const describe = (field: Field): string => {
    const own = (responseDescriptions as Fields | undefined)?.[field];
    return typeof own === 'string' && own.trim() !== '' ? own : DESCRIPTIONS[field];
  };
  const finding = requiredObject({
    title: z.string().describe(describe('title')),
    description: z.string().describe(describe('description')),
    severity: lenientSeverity(describe('severity')),
    issueType: lenientText(describe('issueType')),
    targetText: lenientText(describe('targetText')),
    occurrence: lenient('integer', describe('occurrence')),
    suggestion: lenientText(describe('suggestion')),
    htmlSelector: lenientText(describe('htmlSelector')),
    isPageLevel: lenient('boolean', describe('isPageLevel')),
    findingType: lenient('string', describe('findingType'), { enum: ['text', 'pin', 'page'] }),
    confidence: lenient('number', describe('confidence')),
    ...moreOfEach,
  });
  return requiredObject({
    summary: lenientText(describe('summary')),
    ...more,
    findings: z.array(finding).describe('Empty where there is nothing to report.'),
  });
}
