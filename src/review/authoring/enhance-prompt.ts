import { z } from 'zod';
import { lenientText, requiredObject } from '../prompt/finding-schema.ts';
import { askTool, type ContextField, showFields, type ToolDeps } from './ask-tool.ts';

const TYPES = ['boolean', 'single-select', 'multi-select', 'info'] as const;

export const enhancedPrompt = z.union([
  z.object({
    requirement: z.string().describe('Question about the most important gap in the prompt.'),
    context: z.string().describe('Why the question matters.'),
    suggestion: z.array(z.string()).describe('Suggested answers.'),
    suggestion_type: z.enum(TYPES),
  }),
  z.object({ requirement: z.null().describe('Null: nothing is missing.') }),
]);
export type EnhancedPrompt = z.infer<typeof enhancedPrompt>;

const MAX_SUGGESTIONS = 10;

const answer = requiredObject({
  requirement: lenientText(
    'The one thing that is missing and matters most, as a question to the author. Empty where nothing is.',
  ),
  context: lenientText('Why it matters, in a sentence. Empty where nothing is missing.'),
  suggestion: z.array(z.string()).describe('Answers that the author may choose from; empty with info.'),
  suggestion_type: lenientText(
    'boolean for yes or no, single-select where one of the suggestions is chosen, multi-select where several are, info where the author must write.',
  ),
});

const INSTRUCTIONS = `You are given a prompt for an agent that reviews web pages, and the fields that the person who starts a run fills in, if any.
Judge whether a reviewer who sees nothing but the prompt, those fields and one page knows what to report: what is checked, what counts as a violation and what does not, and against which values. Where something is missing without which two careful reviewers would answer differently, ask for it. Ask for nothing that the prompt or a field tells already, for nothing that is a matter of taste, and for no more than one thing.`;

/** Asks the author of a prompt for the most important detail that it leaves open. Throws `ApiError`. */
export async function enhancePrompt(
  { prompt, userContextFields }: { prompt: string; userContextFields?: ContextField[] | undefined },
  deps: ToolDeps,
): Promise<EnhancedPrompt> {
  const reply = await askTool(deps, {
    instructions: INSTRUCTIONS,
    schema: answer,
    material: { prompt, fields: showFields(userContextFields) },
  });
  const requirement = textOf(reply.requirement);
  // Some models say in words that nothing is missing.
  if (requirement === '' || /^(null|none|nothing|n\/a)\.?$/i.test(requirement)) return { requirement: null };
  const suggestion = reply.suggestion
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, MAX_SUGGESTIONS);
  const type = TYPES.find((one) => one === reply.suggestion_type) ?? 'info';
  const needsChoice = type === 'single-select' || type === 'multi-select';
  return {
    requirement,
    context: textOf(reply.context),
    suggestion,
    suggestion_type: needsChoice && suggestion.length === 0 ? 'info' : type,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
