import type { z } from 'zod';
import type { Tx } from '../../db/tables.ts';
import { storable } from '../../lib/text/cut-text.ts';
import type { DataBlock } from '../../outside/models/data-blocks.ts';
import { addUsage, NO_USAGE, type TokenUsage } from '../../outside/models/models.ts';
import type { Outside } from '../../outside/outside.ts';
import type { RunOutcome } from '../../shapes/agents/run.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type ArtifactRow, insertArtifacts } from '../../store/agents/artifacts.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { lockExecution, noteOutcome } from '../../store/agents/executions.ts';
import { secretValues } from '../agents/agent-secrets.ts';
import type { RunContext } from '../core/execution-strategy.ts';
import { createRedactor } from '../core/redact.ts';
import { meteredBudget } from '../core/run-budget.ts';
import type { RunLease } from '../core/run-lease.ts';
import { phaseTimeoutOf, preferredModelsOf, type Run } from '../core/run-state.ts';
import { artifactStore } from '../core/store-artifact.ts';
import { createTextScreener } from '../core/text-screener.ts';
import { withTimeout } from '../core/with-timeout.ts';
import { askModel } from '../execute/ask-model.ts';
import { buildPrompt } from '../prompt/build-prompt.ts';
import { templateValues } from '../prompt/template-values.ts';

export interface RunQuestion<T> {
  /** Name in the log and in file names, such as `formatting`. */
  phase: string;
  instructions: string;
  blocks: readonly DataBlock[];
  schema?: z.ZodType<T> | undefined;
}

export interface RunAnswer<T> {
  /** Undefined if the model gave no answer; the log has the reason. */
  data: T | undefined;
  llmModel: string | undefined;
  usage: TokenUsage | undefined;
  artifacts: ArtifactRow[];
}

/**
 * Asks the model a question about a run as a whole, after its pages were reviewed. A failure is logged and does not fail
 * the run; only an abort of the run is thrown.
 */
export async function askAboutRun<T = string>(
  run: Run,
  question: RunQuestion<T>,
  runContext: RunContext,
  outside: Outside,
): Promise<RunAnswer<T>> {
  const { phase } = question;
  const redact = runContext.once('redactor', () => createRedactor(secretValues(run.behavior)));
  const meter = meteredBudget(runContext.budget);
  const artifacts: ArtifactRow[] = [];
  try {
    const answer = await withTimeout(phase, phaseTimeoutOf(run), runContext.signal, (signal) => {
      const storeArtifact = artifactStore(run, phase, outside.blobs, artifacts);
      const context = {
        ...runContext,
        signal,
        screener: createTextScreener(redact),
        budget: meter.budget,
        timeoutMs: phaseTimeoutOf(run),
        storeArtifact: (file: Parameters<typeof storeArtifact>[0]) =>
          storeArtifact({ ...file, name: `${phase}-${file.name}` }),
      };
      const material = {
        url: run.row.seedUrl,
        deviceType: run.request.deviceType,
        values: templateValues(run),
        gathered: [],
        memory: [],
        instructions: question.instructions,
      };
      const prompt = buildPrompt(material, context, question.blocks);
      const task = { ...material, execution: {}, wishes: preferredModelsOf(run) };
      return askModel<T>(task, context, { prompt, schema: question.schema });
    });
    const usage = meter.spent() ?? answer.usage;
    return { artifacts, data: answer.data, llmModel: answer.llmModel, usage };
  } catch (error) {
    runContext.signal.throwIfAborted();
    runContext.log({
      level: 'warn',
      kind: 'phase',
      message: redact(`The ${phase} failed: ${(error as Error).message}`),
      data: { phase },
    });
    return { artifacts, data: undefined, llmModel: undefined, usage: meter.spent() };
  }
}

/** Stores an answer's files and cost with the execution, and the given fields in its outcome. Returns its document. */
export async function storeAnswer(
  tx: Tx,
  { ref, owner }: Pick<RunLease, 'ref' | 'owner'>,
  { artifacts, usage, llmModel }: RunAnswer<unknown>,
  fields: Pick<RunOutcome, 'formatted' | 'pagesCompared'>,
): Promise<DocumentRef> {
  const document = await holdLease(tx, ref, owner);
  const { outcome } = await lockExecution(tx, ref, ref.executionId);
  await insertArtifacts(tx, artifacts);
  const before = outcome.asked ?? {};
  const asked = {
    usage: addUsage({ ...NO_USAGE, ...before.usage }, { ...NO_USAGE, ...usage }),
    llmModel: before.llmModel ?? llmModel,
  };
  await noteOutcome(tx, ref, storable({ ...outcome, ...fields, asked }));
  return document;
}
