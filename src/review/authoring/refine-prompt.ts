import { z } from 'zod';
import { requiredObject } from '../prompt/finding-schema.ts';
import { asDescriptions, askTool, DESCRIBED_FIELDS, type ToolDeps } from './ask-tool.ts';

/** Feedback of the author on one of the examples. */
export interface DemoFeedback {
  demoId: string;
  demoTitle: string;
  demoHtml: string;
  demoExpected: string;
  feedback: string;
}

export const refinerResult = z.object({
  analysis_prompt: z.string(),
  response_descriptions: z
    .record(z.string(), z.string())
    .describe('Value for `execution.responseDescriptions`.'),
});
export type RefinerResult = z.infer<typeof refinerResult>;

const answer = requiredObject({
  analysis_prompt: z.string().describe('The whole prompt, changed, as Markdown with the same headings.'),
  response_descriptions: z
    .array(requiredObject({ field: z.string(), description: z.string() }))
    .describe(`What each field of a finding should hold for it; fields are ${DESCRIBED_FIELDS}.`),
});

const INSTRUCTIONS = `You are given the prompt of an agent that reviews web pages, and what its author says to examples by which it was tried: each with its HTML, what was expected of it, and the author's words.
Change the prompt so that it does justice to all of them. Find the rule behind each remark rather than naming the example; keep everything that no remark is about, and every {{placeholder}} as it is.`;

/** Changes a prompt by its author's feedback on examples. Throws `ApiError`. */
export async function refinePrompt(
  { analysisPrompt, demoFeedback }: { analysisPrompt: string; demoFeedback: DemoFeedback[] },
  deps: ToolDeps,
): Promise<RefinerResult> {
  const examples = demoFeedback.map(
    ({ demoId, demoTitle, demoHtml, demoExpected, feedback }, index): [string, string] => [
      `example-${index + 1}`,
      `Id: ${demoId}\nTitle: ${demoTitle}\nExpected: ${demoExpected}\nHTML:\n${demoHtml}\nThe author says:\n${feedback}`,
    ],
  );
  const reply = await askTool(deps, {
    instructions: INSTRUCTIONS,
    schema: answer,
    material: { prompt: analysisPrompt, ...Object.fromEntries(examples) },
  });
  return {
    analysis_prompt: reply.analysis_prompt,
    response_descriptions: asDescriptions(reply.response_descriptions),
  };
}
