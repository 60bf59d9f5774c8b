import { addUsage, ModelFailure, NO_USAGE } from '../../outside/models/models.ts';
import type { ExecutionStrategy, PageContext, PageTask, TaskResult } from '../core/execution-strategy.ts';
import { buildPrompt } from '../prompt/build-prompt.ts';
import { groundingField } from '../prompt/memory-entries.ts';
import { checksOf, toDrafts } from '../prompt/to-drafts.ts';
import { askModel } from './ask-model.ts';
import { service } from './service.ts';
import { applyChanges, serviceAnswerSchema, serviceBlock } from './service-answer.ts';

const RULES = `The data block service-findings holds what a program measured on this page, a finding a line. These are facts: do not repeat them among your findings. In facts you may explain one for this page, give it another severity or suggestion, or dismiss it with a reason where it is plainly a false alarm. In findings report only what the program did not see.`;

/** A service reports findings, and a model explains them, adds others and dismisses false alarms. */
export const serviceAi: ExecutionStrategy = {
  name: 'service+ai',
  async execute(task, context) {
    const measured = await service.execute(task, context);
    const withoutModel = (level: 'info' | 'warn', why: string): TaskResult => {
      context.log({
        level,
        message: measured.skipped === undefined ? `${why} The findings are those of the rules.` : why,
        data: { url: task.url },
      });
      return measured;
    };
    if (worksWithoutModel(task.execution, context.models)) {
      return withoutModel('info', 'No language model is configured.');
    }
    try {
      return await withModel(task, context, measured);
    } catch (error) {
      if (!(error instanceof ModelFailure) || context.signal.aborted || !isModelOptional(task)) throw error;
      const usage = addUsage({ ...NO_USAGE, ...measured.usage }, error.usage);
      return { ...withoutModel('warn', `The language model gave no answer: ${error.message}`), usage };
    }
  },
};

/** True if the findings of the service are sufficient when no model answers. */
const isModelOptional = ({ execution }: Pick<PageTask, 'execution'>): boolean =>
  execution.modelOptional === true;

/** True if the service works alone, since no model is configured and the agent needs none. */
export const worksWithoutModel = (
  execution: PageTask['execution'],
  { configured }: Pick<PageContext['models'], 'configured'>,
): boolean => isModelOptional({ execution }) && !Object.values(configured).some(Boolean);

async function withModel(task: PageTask, context: PageContext, measured: TaskResult): Promise<TaskResult> {
  const { url, execution } = task;
  const instructions = `${task.instructions}\n\n${RULES}`;
  const { data, usage, llmModel } = await askModel(task, context, {
    prompt: buildPrompt({ ...task, instructions }, context, [serviceBlock(measured.findings)]),
    schema: serviceAnswerSchema(execution.responseDescriptions, groundingField(task.memory)),
  });
  const { facts = [] } = data;
  const { findings: added, summary, notes } = toDrafts(data, checksOf(task));
  for (const message of notes) context.log({ level: 'warn', message, data: { url } });
  // The page no longer counts as skipped, since the model has reviewed what the service could not.
  const { skipped: _, ...account } = measured;
  const answer = { ...account, usage, llmModel, ...(summary !== '' && { summary }) };
  // On a page with a prompt injection, a dismissal may be the aim of the injection.
  if (context.screener.injections.length > 0) {
    if (facts.length > 0)
      context.log({
        level: 'warn',
        message: `The page tries to instruct the reviewer, so the model's changes to ${facts.length} measured findings are ignored.`,
        data: { url },
      });
    return { ...answer, findings: [...measured.findings, ...added] };
  }
  const { findings, dismissed } = applyChanges(measured.findings, facts);
  for (const { finding, reason } of dismissed)
    context.log({
      level: 'info',
      message: `The model dismissed “${finding.title}”: ${reason}`,
      data: { url, issueType: finding.issueType },
    });
  return { ...answer, findings: [...findings, ...added], ...(dismissed.length > 0 && { dismissed }) };
}
