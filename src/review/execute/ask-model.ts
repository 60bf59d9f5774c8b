import type { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import {
  type ModelAnswer,
  type ModelChoice,
  ModelFailure,
  type ModelNote,
  type ModelTool,
} from '../../outside/models/models.ts';
import type { LogLine, PageContext, PageTask } from '../core/execution-strategy.ts';
import type { Prompt } from '../prompt/build-prompt.ts';

export interface ModelQuestion<T> {
  prompt: Prompt;
  /** Schema of the answer; without it the answer is text. */
  schema?: z.ZodType<T> | undefined;
  tools?: readonly ModelTool[];
  maxToolTurns?: number | undefined;
  responseMimeType?: string | undefined;
  /** Further data in the log line of a tool call, such as its server. */
  aboutTool?: (name: string) => Fields | undefined;
}

const MAX_INPUT = 500;

/** The model that answers. Throws `ModelFailure` if none is configured. */
export const chooseModel = ({ wishes }: Pick<PageTask, 'wishes'>, { models }: Pick<PageContext, 'models'>) =>
  models.choose(...wishes);

/**
 * Asks the chosen model, logs each step, and saves the prompt as the artifact `prompt.md`, also if no answer comes.
 * Throws `ModelFailure`.
 */
export async function askModel<T = string>(
  task: PageTask,
  context: PageContext,
  { prompt, aboutTool, ...question }: ModelQuestion<T>,
): Promise<ModelAnswer<T>> {
  const choice = chooseModel(task, context);
  const events: string[] = [];
  const note = (one: ModelNote) => {
    const line = lineOf(one, choice);
    const message = context.screener.redact(line.message);
    events.push(message);
    const about = one.kind === 'tool' ? aboutTool?.(one.name) : undefined;
    context.log({ ...line, message, data: { url: task.url, ...line.data, ...about } });
  };
  try {
    const answer = await context.models.ask<T>({
      ...question,
      choice,
      instructions: prompt.instructions,
      parts: prompt.parts,
      budget: context.budget,
      signal: context.signal,
      timeoutMs: context.timeoutMs,
      note,
    });
    events.push('It answered.');
    return answer;
  } catch (error) {
    events.push(
      error instanceof ModelFailure ? `No answer: ${error.message}` : 'It was not asked to the end.',
    );
    throw error;
  } finally {
    const record = prompt.record({
      llmModel: nameOf(choice),
      answer: question.schema ? 'findings as JSON' : 'words',
      tools: (question.tools ?? []).map(({ name }) => name),
      events,
    });
    await savePrompt(context, record);
  }
}

/** `provider/model`. */
export const nameOf = ({ provider, model }: ModelChoice): string => `${provider}/${model}`;

/** Saves the record of a prompt as an artifact. A failure is only logged, since it must not fail the page. */
export async function savePrompt({ storeArtifact, log }: PageContext, record: string): Promise<void> {
  try {
    await storeArtifact({ name: 'prompt.md', mimeType: 'text/markdown', bytes: Buffer.from(record) });
  } catch (error) {
    log({
      level: 'warn',
      message: `The prompt could not be stored: ${(error as Error).message}`,
    });
  }
}

/** The log line of a step of the model. */
export function lineOf(note: ModelNote, choice: ModelChoice): LogLine {
  const model = nameOf(choice);
  switch (note.kind) {
    case 'request': {
      const { turn, ms, usage } = note;
      return {
        level: 'info',
        kind: 'model',
        message: `${model} answered (turn ${turn}, ${ms} ms, ${usage.totalTokens} tokens).`,
        data: { model, turn, ms, usage },
      };
    }
    case 'retry': {
      const { reason, status, waitMs } = note;
      return {
        level: 'warn',
        kind: 'model',
        message: `${model} is asked again in ${waitMs} ms: ${reason}`,
        data: { model, waitMs, ...(status !== undefined && { status }) },
      };
    }
    case 'repair':
      return {
        level: 'warn',
        kind: 'model',
        message: `${model} gave an invalid answer and is asked to correct it: ${note.reason}`,
        data: { model },
      };
    case 'tool': {
      const { name, input, ms, isError, chars } = note;
      const sent = shorten(JSON.stringify(input) ?? '', MAX_INPUT);
      return {
        level: isError ? 'warn' : 'info',
        kind: 'tool',
        message: `Tool ${name}(${sent}) ${isError ? 'failed' : 'answered'} (${ms} ms, ${chars} characters).`,
        data: { tool: name, ms, isError, chars },
      };
    }
  }
}
