import { z } from 'zod';
import { lenientText, requiredObject } from '../prompt/finding-schema.ts';
import {
  asDescriptions,
  askTool,
  type ContextField,
  DESCRIBED_FIELDS,
  showFields,
  type ToolDeps,
} from './ask-tool.ts';

const TOOLS = ['TOOL_TEXT_EXTRACTOR', 'NONE'] as const;

const demoCase = {
  id: z.string(),
  title: z.string(),
  tier: z
    .string()
    .describe('How plain the case is, such as `obvious_match`, `subtle_match`, `obvious_non_match`.'),
  dimension_tested: z.string().describe('Which of the dimensions it tries.'),
  html: z.string().describe('A page, or a piece of one.'),
  expected: z.string().describe('`detected` or `not_detected`.'),
  reason: z.string(),
};
const requiredInput = {
  name: z.string(),
  description: z.string(),
  example: z.string(),
  reason: z.string(),
};

export const validationResult = z.object({
  analysis_prompt: z
    .string()
    .describe('The structured prompt as Markdown: Objective, Scope, Detection Logic, Output Format.'),
  requires_tool: z.enum(TOOLS).describe('`TOOL_TEXT_EXTRACTOR` if the visible text of a page is needed.'),
  response_descriptions: z
    .record(z.string(), z.string())
    .describe('Value for `execution.responseDescriptions`.'),
  demos: z.object({
    detection_dimensions: z.array(z.string()).describe('Aspects in which the cases differ.'),
    cases: z.array(z.object(demoCase)),
  }),
  suggested_required_inputs: z.array(z.object(requiredInput)).describe('Inputs that a run should require.'),
});
export type ValidationResult = z.infer<typeof validationResult>;

const MAX_CASES = 20;

const descriptions = z
  .array(requiredObject({ field: z.string(), description: z.string() }))
  .describe(`What each field of a finding should hold for this prompt; fields are ${DESCRIBED_FIELDS}.`);

const answer = requiredObject({
  analysis_prompt: z
    .string()
    .describe(
      'The prompt worked out, as Markdown with the headings Objective, Scope, Detection Logic and Output Format.',
    ),
  requires_tool: lenientText(
    'TOOL_TEXT_EXTRACTOR where the visible text of a page must be read, NONE where it need not.',
  ),
  response_descriptions: descriptions,
  detection_dimensions: z
    .array(z.string())
    .describe('In what ways pages can meet or violate it; two to five.'),
  cases: z
    .array(requiredObject(demoCase))
    .describe(
      'Four to eight short pieces of HTML that try the prompt, plain and subtle ones, some that must be reported and some that must not.',
    ),
  suggested_required_inputs: z
    .array(requiredObject(requiredInput))
    .describe(
      'What a run needs to know that neither the prompt nor a field says; empty where there is nothing.',
    ),
});

const INSTRUCTIONS = `You are given a prompt for an agent that reviews web pages, and the fields that the person who starts a run fills in, if any. Work it out, so that a reviewer who sees one page reports just what its author wants.
Keep to what the author asks: make it precise, and add no checks of your own. Fields stand in the prompt as {{userContext.name}} and stay so. Then make up examples by which the author sees whether the prompt is understood as it was meant.`;

/** Expands a prompt and invents examples to test it. Throws `ApiError`. */
export async function validatePrompt(
  { prompt, userContextFields }: { prompt: string; userContextFields?: ContextField[] | undefined },
  deps: ToolDeps,
): Promise<ValidationResult> {
  const reply = await askTool(deps, {
    instructions: INSTRUCTIONS,
    schema: answer,
    material: { prompt, fields: showFields(userContextFields) },
  });
  const ids = new Set<string>();
  return {
    analysis_prompt: reply.analysis_prompt,
    requires_tool: TOOLS.find((tool) => tool === reply.requires_tool) ?? 'TOOL_TEXT_EXTRACTOR',
    response_descriptions: asDescriptions(reply.response_descriptions),
    demos: {
      detection_dimensions: reply.detection_dimensions,
      cases: reply.cases.slice(0, MAX_CASES).map((one, index) => {
        // Feedback refers to cases by id, so ids must be unique.
        const id = one.id.trim() === '' || ids.has(one.id) ? `case-${index + 1}` : one.id;
        ids.add(id);
        return { ...one, id };
      }),
    },
    suggested_required_inputs: reply.suggested_required_inputs,
  };
}
