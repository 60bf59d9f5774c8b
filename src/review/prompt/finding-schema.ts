import { z } from 'zod';
import { severities } from '../../shapes/agents/execution.ts';

/** What a model answers about one thing that it found; what is unknown here is read by `toDrafts`. */
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
  /** Where it was seen, of a review that goes from page to page. */
  pageUrl?: unknown;
  /** Marks of what it rests on in the memory. */
  groundedBy?: unknown;
}

export interface Answer {
  summary?: unknown;
  findings: AnsweredFinding[];
}

type Shape = Record<string, z.ZodType>;

/** What a model is told about each field, where the agent has no words of its own for it. */
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
 * A field that the provider is told to fill and that is taken as it comes: providers that hold a model to the
 * schema give just this, and with the others a number in quotes must not cost the whole answer.
 */
const lenient = (type: string, description: string, more: Record<string, unknown> = {}) =>
  z
    .unknown()
    .optional()
    .meta({ type, description, ...more });

/**
 * An object of which the schema that is sent demands each field: structured output knows no optional ones. Nor
 * may it hold bounds, patterns or defaults, which one provider or another refuses.
 */
export const demanding = <Fields extends Shape>(fields: Fields) =>
  z.object(fields).meta({ required: Object.keys(fields) });

/** The same description for the fields that another schema of findings has. */
export const lenientSeverity = (description = DESCRIPTIONS.severity) =>
  lenient('string', description, { enum: [...severities] });
export const lenientText = (description: string) => lenient('string', description);

/**
 * What a model's answer must be, with the agent's own descriptions (`execution.responseDescriptions`) in place
 * of ours. `more` are further fields of the answer itself, `moreOfEach` of each finding.
 */
export function answerSchema(
  responseDescriptions?: unknown,
  more: Shape = {},
  moreOfEach: Shape = {},
): z.ZodType<Answer> {
  const describe = (field: Field): string => {
    const own = (responseDescriptions as Record<string, unknown> | undefined)?.[field];
    return typeof own === 'string' && own.trim() !== '' ? own : DESCRIPTIONS[field];
  };
  const finding = demanding({
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
  return demanding({
    summary: lenientText(describe('summary')),
    ...more,
    findings: z.array(finding).describe('Empty where there is nothing to report.'),
  }) as unknown as z.ZodType<Answer>;
}
