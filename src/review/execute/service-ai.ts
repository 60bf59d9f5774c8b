import { addUsage, ModelFailure, NO_USAGE } from '../../outside/models/models.ts';
import type { ExecutionStrategy, PageContext, PageTask, TaskResult } from '../core/execute-task.ts';
import { buildPrompt } from '../prompt/build-prompt.ts';
import { groundingField } from '../prompt/memory-entries.ts';
import { seenWords } from '../prompt/seen-words.ts';
import { toDrafts } from '../prompt/to-drafts.ts';
import { ask } from './ask-model.ts';
import { service } from './service.ts';
import { judge, serviceAnswerSchema, serviceBlock } from './service-answer.ts';

const RULES = `The data block service-findings holds what a program measured on this page, a finding a line. These are facts: do not repeat them among your findings. In facts you may explain one for this page, give it another severity or suggestion, or dismiss it with a reason where it is plainly a false alarm. In findings report only what the program did not see.`;

/** A service measures, and a model explains, adds and weeds out. */
export const serviceAi: ExecutionStrategy = {
  name: 'service+ai',
  async execute(task, context) {
    const measured = await service.execute(task, context);
    const alone = (level: 'info' | 'warn', why: string): TaskResult => {
      context.log({
        level,
        message: measured.skipped === undefined ? `${why} The findings are those of the rules.` : why,
        data: { url: task.url },
      });
      return measured;
    };
    if (mayDoWithout(task) && !Object.values(context.models.configured).some(Boolean)) {
      return alone('info', 'No language model is configured.');
    }
    try {
      return await withModel(task, context, measured);
    } catch (error) {
      if (!(error instanceof ModelFailure) || context.signal.aborted || !mayDoWithout(task)) throw error;
      const usage = addUsage({ ...NO_USAGE, ...measured.usage }, error.usage);
      return { ...alone('warn', `The language model gave no answer: ${error.message}`), usage };
    }
  },
};

/** Whether the service's word is enough where no model is to be had. */
const mayDoWithout = ({ execution }: PageTask): boolean => execution.modelOptional === true;

async function withModel(task: PageTask, context: PageContext, measured: TaskResult): Promise<TaskResult> {
  const { url, execution, gathered } = task;
  const instructions = `${task.instructions}\n\n${RULES}`;
  const { data, usage, llmModel } = await ask(task, context, {
    prompt: buildPrompt({ ...task, instructions }, context, [serviceBlock(measured.findings)]),
    schema: serviceAnswerSchema(execution.responseDescriptions, groundingField(task.memory)),
  });
  const { facts = [] } = data;
  const { findings: added, summary, notes } = toDrafts(data, seenWords(gathered), task.memory);
  for (const message of notes) context.log({ level: 'warn', message, data: { url } });
  // The model has read the parts that the service could not.
  const { skipped: _, ...account } = measured;
  const answer = { ...account, usage, llmModel, ...(summary !== '' && { summary }) };
  // On a page that gives orders to its reviewer, what a model takes back may be what the page wants.
  if (context.screener.injections.length > 0) {
    if (facts.length > 0)
      context.log({
        level: 'warn',
        message: `The page tries to instruct the reviewer, so what the model would change of ${facts.length} measured findings is ignored.`,
        data: { url },
      });
    return { ...answer, findings: [...measured.findings, ...added] };
  }
  const { findings, dismissed } = judge(measured.findings, facts);
  for (const { finding, reason } of dismissed)
    context.log({
      level: 'info',
      message: `The model dismissed “${finding.title}”: ${reason}`,
      data: { url, issueType: finding.issueType },
    });
  return { ...answer, findings: [...findings, ...added], ...(dismissed.length > 0 && { dismissed }) };
}
