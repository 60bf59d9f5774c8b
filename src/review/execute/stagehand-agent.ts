import { z } from 'zod';
import { asObject } from '../../lib/json.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { PageFailure } from '../../outside/browser/browser.ts';
import type { AgentStep, BrowserTask } from '../../outside/browser-agent/browser-agent.ts';
import { addUsage, type ModelChoice, type ModelWish, NO_USAGE } from '../../outside/models/models.ts';
import { stagehandOptions } from '../../shapes/agents/agent-behavior.ts';
import type { DraftFinding } from '../../shapes/agents/execution.ts';
import type { ExecutionStrategy, PageContext, PageTask, TaskResult } from '../core/execution-strategy.ts';
import { asRunFault } from '../core/run-error.ts';
import { pageKey } from '../links/page/address.ts';
import { buildPrompt } from '../prompt/build-prompt.ts';
import { type Answer, answerSchema } from '../prompt/finding-schema.ts';
import { groundingField } from '../prompt/memory-entries.ts';
import { toDrafts } from '../prompt/to-drafts.ts';
import { lineOf, nameOf, savePrompt } from './ask-model.ts';

const NAME = 'stagehand-agent';
const MAX_SUMMARY = 20_000;
/** Share of the time for browsing; the rest is for turning the closing words into findings. */
const BROWSING_SHARE = 0.85;
const DEFAULT_TIMEOUT_MS = 160_000;

const PAGE_URL = z.unknown().optional().meta({
  type: 'string',
  description: 'The address of the page that it was seen on.',
});

/** A model that finds its own way through the site, beginning with the page, and reports its findings. */
export const stagehandAgent: ExecutionStrategy = {
  name: NAME,
  options: stagehandOptions,

  async execute(task, context) {
    const options = stagehandOptions.parse(asObject(task.execution.strategyOptions)[NAME] ?? {});
    const [ofRun, ...others] = task.wishes;
    const choice = context.models.choose(ofRun, wishOf(options.model), ...others);
    const { ask, events, spent, stop } = meteredAsk(choice, task, context);
    const prompt = buildPrompt(task, context);
    const timeoutMs = (context.timeoutMs ?? DEFAULT_TIMEOUT_MS) * BROWSING_SHARE;
    const schema = answerSchema(
      task.execution.responseDescriptions,
      {},
      { pageUrl: PAGE_URL, ...groundingField(task.memory) },
    );

    const browse = <T>(wanted?: z.ZodType<T>) =>
      context.browserAgent.run<T>({
        url: task.url,
        deviceType: task.deviceType,
        instructions: prompt.instructions,
        parts: prompt.parts,
        systemPrompt: options.systemPrompt && context.screener.redact(options.systemPrompt),
        mode: options.mode,
        maxSteps: options.maxSteps,
        waitUntil: options.waitUntil,
        navigationTimeoutMs: options.navigationTimeout,
        schema: wanted,
        ask,
        read: (text, where) => context.screener.screen(text, where),
        note: (step) => events.push(logStep(step, context)),
        signal: context.signal,
        timeoutMs,
      });
    try {
      if (options.useStructuredOutput) {
        const { data, steps, visited } = await browse(schema);
        return { ...draftsOf(data, visited, task, context), data: { steps, visited }, ...spent() };
      }
      const { data: words, steps, visited } = await browse<string>();
      const { data } = await ask<Answer>({
        instructions: prompt.instructions,
        parts: [
          ...prompt.parts,
          { text: `The account of the review that was made:\n${words}\nWhich findings does it report?` },
        ],
        schema,
      });
      const { findings } = draftsOf(data, visited, task, context);
      return { findings, summary: cutText(words.trim(), MAX_SUMMARY), data: { steps, visited }, ...spent() };
    } catch (error) {
      // A failure of the browser is no failure of the model.
      throw error instanceof PageFailure ? asRunFault(error, 'CONTEXT_GATHERING_ERROR') : error;
    } finally {
      stop();
      const answer = options.useStructuredOutput ? 'findings as JSON' : 'words, and then findings as JSON';
      await savePrompt(context, prompt.record({ llmModel: nameOf(choice), answer, events }));
    }
  },
};

/** Asks the model until `stop` is called, and sums up the token usage. */
function meteredAsk(
  choice: ModelChoice,
  { url }: PageTask,
  { models, budget, screener, log, signal }: PageContext,
) {
  const over = new AbortController();
  const events: string[] = [];
  let usage = NO_USAGE;
  const ask: BrowserTask<unknown>['ask'] = async (request) => {
    const answer = await models.ask({
      ...request,
      choice,
      budget,
      signal: AbortSignal.any([signal, over.signal]),
      note(one) {
        const line = lineOf(one, choice);
        const message = screener.redact(line.message);
        events.push(message);
        log({ ...line, message, data: { url, ...line.data } });
      },
    });
    usage = addUsage(usage, answer.usage);
    return answer;
  };
  const spent = (): Pick<TaskResult, 'usage' | 'llmModel'> => ({ usage, llmModel: nameOf(choice) });
  return { ask, events, spent, stop: () => over.abort() };
}

function logStep({ step, action, url, ms, error }: AgentStep, { screener, log }: PageContext): string {
  const outcome = error === undefined ? '' : `, which failed: ${error}`;
  const message = screener.redact(`Step ${step} on ${url}: ${action} (${ms} ms)${outcome}`);
  log({
    level: error === undefined ? 'info' : 'warn',
    kind: 'step',
    message,
    data: { step, action: screener.redact(action), url, ms, ...(error !== undefined && { error }) },
  });
  return message;
}

/** Findings with the visited page that the model names. A finding on another page than the reviewed one gets no quote. */
function draftsOf(answer: Answer, visited: string[], { url, memory }: PageTask, { log }: PageContext) {
  const { findings, summary, notes } = toDrafts(answer, { memory });
  for (const message of notes) log({ level: 'warn', message, data: { url } });
  const place = ({ sourceUrl, ...finding }: DraftFinding): DraftFinding => {
    const page = sourceUrl && visited.find((one) => keyOf(one) === keyOf(sourceUrl));
    if (!page || keyOf(page) === keyOf(url)) return finding;
    return { ...finding, sourceUrl: page, findingType: 'page', isPageLevel: true };
  };
  return { findings: findings.map(place), ...(summary !== '' && { summary }) };
}

const keyOf = (url: string): string => (URL.canParse(url) ? pageKey(url) : url);

const PROVIDERS: Record<string, ModelChoice['provider']> = {
  openai: 'openai',
  anthropic: 'claude',
  claude: 'claude',
  google: 'gemini',
  gemini: 'gemini',
};

/** Parses a model as Stagehand names it: `provider/model`, or the name alone. */
function wishOf(model: string | undefined): ModelWish | undefined {
  const [, before = '', name] = /^([a-z]+)\/(.+)$/.exec(model ?? '') ?? [];
  const provider = PROVIDERS[before];
  return provider ? { provider, model: name } : model === undefined ? undefined : { model };
}
