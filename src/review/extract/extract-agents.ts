import { storable } from '../../lib/cut-text.ts';
import { ApiError, invalidArgument } from '../../lib/errors.ts';
import { type FileContent, FileFailure, type ReadFile } from '../../outside/files/file-reader.ts';
import type { ModelProvider, Models } from '../../outside/models/models.ts';
import type { JudgeUrl } from '../agent-shape/rules.ts';
import { newAgent } from '../agent-shape.ts';
import { asApiError } from '../model-api-error.ts';
import { agentsByModel } from './agents-by-model.ts';
import { type AgentDraft, type Extraction, MAX_AGENTS, type Made } from './extraction.ts';
import { makeAgent } from './make-agent.ts';
import { readChecklist } from './read-checklist.ts';

const MAX_ORIGINAL_CHARS = 500;

export interface UploadedFile {
  bytes: Uint8Array;
  mimeType: string;
  fileName?: string | undefined;
}

interface Means {
  readFile: ReadFile;
  models: Models;
  judgeUrl: JudgeUrl;
  /** Of the language model, for the whole file. */
  tokens: number;
}

/**
 * Makes agents of what a file has to check, each of them as create takes it; with the language model where there is
 * one, by rule otherwise. Throws `ApiError`.
 */
export async function extractAgents(
  file: UploadedFile,
  provider: ModelProvider | undefined,
  means: Means,
): Promise<Extraction> {
  const choice = chooseModel(means.models, provider);
  const content = await contentOf(file, means.readFile);
  try {
    const made = choice
      ? await agentsByModel(content, file.fileName, choice, means.models, means.tokens)
      : byRule(content, file.fileName);
    return storable(checked(made, content.notes, means.judgeUrl));
  } catch (error) {
    throw asApiError(error);
  }
}

function chooseModel(models: Models, provider: ModelProvider | undefined) {
  if (provider === undefined && !Object.values(models.configured).some(Boolean)) return undefined;
  try {
    return models.choose({ provider });
  } catch (error) {
    throw asApiError(error);
  }
}

async function contentOf({ bytes, mimeType }: UploadedFile, readFile: ReadFile): Promise<FileContent> {
  try {
    return await readFile({ bytes, mimeType });
  } catch (error) {
    if (!(error instanceof FileFailure)) throw error;
    if (error.kind === 'aborted') throw new ApiError('UNAVAILABLE', error.message, { cause: error });
    throw invalidArgument(error.message);
  }
}

function byRule(content: FileContent, fileName: string | undefined): Made {
  const { items, skipped } = readChecklist(content);
  const what = content.text === undefined ? 'row' : 'item of a list';
  return {
    agents: items.map((item) => ({ agent: makeAgent(item, fileName), original: item.original })),
    skipped,
    by: `No language model is configured, so the file was converted by rule: each ${what} became an agent.`,
  };
}

/** Only what create would take, and only so many. */
function checked({ agents, skipped, by }: Made, notes: readonly string[], judgeUrl: JudgeUrl): Extraction {
  const schema = newAgent(judgeUrl);
  const kept: AgentDraft[] = [];
  const left = [...skipped];
  for (const { agent, original } of agents) {
    const problem = schema.safeParse(agent).error?.issues[0];
    if (problem)
      left.push({ originalText: original, reason: `No valid agent came of it: ${problem.path.join('.')}.` });
    else if (kept.length === MAX_AGENTS) {
      left.push({
        originalText: original,
        reason: `No more than ${MAX_AGENTS} agents are made of one file.`,
      });
    } else kept.push(agent);
  }
  return {
    agents: kept,
    summary: [by, `${counted(kept.length, 'agent')}, ${left.length} skipped.`, ...notes].join(' '),
    skipped: left.map(({ originalText, reason }) => ({
      originalText: originalText.slice(0, MAX_ORIGINAL_CHARS),
      reason,
    })),
  };
}

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
