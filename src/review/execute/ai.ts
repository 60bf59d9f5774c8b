import { cutText } from '../../lib/text/cut-text.ts';
import type { ExecutionStrategy, PageContext, PageTask, TaskResult } from '../core/execution-strategy.ts';
import { buildPrompt } from '../prompt/build-prompt.ts';
import { answerSchema } from '../prompt/finding-schema.ts';
import { groundingField } from '../prompt/memory-entries.ts';
import { checksOf, toDrafts } from '../prompt/to-drafts.ts';
import { askModel } from './ask-model.ts';

const MAX_SUMMARY = 20_000;

/** Asks a model once about all gathered data. */
export const ai: ExecutionStrategy = {
  name: 'ai',
  async execute(task, context) {
    const responseMimeType = mimeTypeOf(task);
    if (responseMimeType && isText(responseMimeType)) {
      const prompt = buildPrompt(task, context, [], 'text');
      return await askForText(task, context, { prompt, responseMimeType });
    }
    const prompt = buildPrompt(task, context);
    const { data, usage, llmModel } = await askModel(task, context, {
      prompt,
      schema: answerSchema(task.execution.responseDescriptions, {}, groundingField(task.memory)),
    });
    const { findings, summary, notes } = toDrafts(data, checksOf(task));
    for (const message of notes) context.log({ level: 'warn', message, data: { url: task.url } });
    return { findings, usage, llmModel, ...(summary !== '' && { summary }) };
  },
};

const mimeTypeOf = ({ execution }: PageTask): string | undefined => {
  const { responseMimeType } = (execution.aiConfig ?? {}) as { responseMimeType?: string };
  return responseMimeType;
};

/** True if the agent wants text in place of findings; any other type means JSON. */
const isText = (mimeType: string): boolean => /^text\//i.test(mimeType);

async function askForText(
  task: PageTask,
  context: PageContext,
  question: { prompt: ReturnType<typeof buildPrompt>; responseMimeType: string },
): Promise<TaskResult> {
  const { data, usage, llmModel } = await askModel(task, context, question);
  context.log({
    level: 'info',
    message: `The agent asks for ${question.responseMimeType}: the answer is the summary of the page, without findings.`,
    data: { url: task.url },
  });
  return { findings: [], summary: cutText(data.trim(), MAX_SUMMARY), usage, llmModel };
}
