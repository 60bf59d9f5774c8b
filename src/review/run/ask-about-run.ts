import type { z } from 'zod';
import type { DataBlock } from '../../outside/models/data-blocks.ts';
import type { TokenUsage } from '../../outside/models/models.ts';
import type { Outside } from '../../outside/outside.ts';
import type { ArtifactRow } from '../../store/agents/artifacts.ts';
import { secretValues } from '../agents/agent-secrets.ts';
import { createRedactor } from '../core/redact.ts';
import { meterOf } from '../core/run-budget.ts';
import { phaseTimeoutOf, type Run, wishesOf } from '../core/run-state.ts';
import { valuesOf } from '../core/run-values.ts';
import { openReading, type Reading } from '../core/untrusted-text.ts';
import { withinTime } from '../core/with-timeout.ts';
import { ask } from '../execute/ask-model.ts';
import { buildPrompt } from '../prompt/build-prompt.ts';
import { keeper } from './run-artifacts.ts';
import type { RunContext } from './run-page.ts';

export interface AboutRun<T> {
  /** For the log and the names of files, such as `formatting`. */
  phase: string;
  instructions: string;
  blocks: readonly DataBlock[];
  schema?: z.ZodType<T> | undefined;
}

export interface AnswerAboutRun<T> {
  /** Undefined where no answer came, which the log tells of. */
  data: T | undefined;
  llmModel: string | undefined;
  usage: TokenUsage | undefined;
  artifacts: ArtifactRow[];
  reading: Reading;
}

/**
 * Asks the model one thing about a run as a whole, after its pages. That no answer comes is told in the log and fails
 * nothing; only a stop of the run is thrown.
 */
export async function askAboutRun<T = string>(
  run: Run,
  question: AboutRun<T>,
  runContext: RunContext,
  outside: Outside,
): Promise<AnswerAboutRun<T>> {
  const { phase } = question;
  const redact = runContext.once('redactor', () => createRedactor(secretValues(run.behavior)));
  const reading = openReading(redact);
  const meter = meterOf(runContext.budget);
  const artifacts: ArtifactRow[] = [];
  const url = run.row.seedUrl;
  const values = valuesOf(run);
  const common = { url, deviceType: run.request.deviceType, values, gathered: [], memory: [] };
  const done = { artifacts, reading };
  try {
    const answer = await withinTime(phase, phaseTimeoutOf(run), runContext.signal, (signal) => {
      const keepArtifact = keeper(run, phase, outside.blobs, artifacts);
      const context = {
        ...runContext,
        signal,
        reading,
        budget: meter.budget,
        timeoutMs: phaseTimeoutOf(run),
        keepArtifact: (file: Parameters<typeof keepArtifact>[0]) =>
          keepArtifact({ ...file, name: `${phase}-${file.name}` }),
      };
      const material = { ...common, instructions: question.instructions };
      const prompt = buildPrompt(material, context, question.blocks);
      const task = { ...material, execution: {}, wishes: wishesOf(run) };
      return ask<T>(task, context, { prompt, schema: question.schema });
    });
    return { ...done, data: answer.data, llmModel: answer.llmModel, usage: meter.spent() ?? answer.usage };
  } catch (error) {
    runContext.signal.throwIfAborted();
    runContext.log({
      level: 'warn',
      kind: 'phase',
      message: redact(`The ${phase} came to nothing: ${(error as Error).message}`),
      data: { phase },
    });
    return { ...done, data: undefined, llmModel: undefined, usage: meter.spent() };
  }
}
