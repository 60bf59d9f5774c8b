import { ApiError, invalidArgument } from '../../lib/errors.ts';
import { shorten, storable } from '../../lib/text/cut-text.ts';
import { type FileContent, FileFailure, type ReadFile } from '../../outside/files/file-reader.ts';
import { asApiError } from '../../outside/models/model-api-error.ts';
import type { ModelProvider, Models } from '../../outside/models/models.ts';
import { newAgent } from '../agents/agent-shape/agent-shape.ts';
import type { JudgeUrl } from '../agents/agent-shape/rules.ts';
import { agentsByModel } from './agents-by-model.ts';
import { type AgentDraft, type Extraction, MAX_AGENTS, type Made } from './extraction.ts';
import { checklistOf } from './long-checklists.ts';
import { makeAgent } from './make-agent.ts';

const MAX_ORIGINAL_CHARS = 500;
const MAX_SKIPPED = 1_000;
/** Lines of a text, or rows of all sheets together. */
const MAX_LINES = 20_000;
/** Of all sheets together. */
const MAX_CELLS = 200_000;

export interface UploadedFile {
  bytes: Uint8Array;
  mimeType: string;
  fileName?: string | undefined;
}

interface Means {
  /** The API key that sent the file. One file of each is worked on at a time. */
  owner: string;
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
  const content = beginning(await contentOf(file, means.readFile));
  try {
    const made = choice
      ? await agentsByModel(content, file.fileName, choice, means.models, means.tokens)
      : await byRule(means.owner, content, file.fileName);
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

async function byRule(owner: string, content: FileContent, fileName: string | undefined): Promise<Made> {
  const { items, skipped } = await checklistOf(owner, content);
  const what = content.text === undefined ? 'row' : 'item of a list';
  return {
    agents: items.map((item) => ({ make: () => makeAgent(item, fileName), original: item.original })),
    skipped,
    by: `No language model is configured, so the file was converted by rule: each ${what} became an agent.`,
  };
}

/** Only what create would take, each once, and only so many. */
function checked({ agents, skipped, by }: Made, notes: readonly string[], judgeUrl: JudgeUrl): Extraction {
  const schema = newAgent(judgeUrl);
  const kept = new Map<string, AgentDraft>();
  const left = [...skipped];
  for (const { make, original } of agents) {
    const skip = (reason: string) => left.push({ originalText: original, reason });
    if (kept.size === MAX_AGENTS) {
      skip(`No more than ${MAX_AGENTS} agents are made of one file.`);
      continue;
    }
    const agent = make();
    const { name, instructions, contextGathering, scope } = agent;
    const key = JSON.stringify([name, instructions, contextGathering, scope]);
    const problem = schema.safeParse(agent).error?.issues[0];
    if (problem) skip(`No valid agent came of it: ${problem.path.join('.')}.`);
    else if (kept.has(key)) skip('Another agent does the same.');
    else kept.set(key, agent);
  }
  const listed = left.slice(0, MAX_SKIPPED);
  return {
    agents: [...kept.values()],
    summary: [
      by,
      `${counted(kept.size, 'agent')}, ${left.length} skipped.`,
      ...(left.length > listed.length ? [`Only the first ${MAX_SKIPPED} of these are listed.`] : []),
      ...notes,
    ].join(' '),
    skipped: listed.map(({ originalText, reason }) => ({
      originalText: shorten(originalText, MAX_ORIGINAL_CHARS),
      reason,
    })),
  };
}

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The beginning of a file: what comes after so many lines is no checklist any more, and would take long to look at. */
function beginning({ sheets, text, notes }: FileContent): FileContent {
  const note = `Only the first ${MAX_LINES} lines were looked at.`;
  if (text !== undefined) {
    const end = nthLineEnd(text, MAX_LINES);
    return end < 0 ? { text, notes } : { text: text.slice(0, end), notes: [...notes, note] };
  }
  let left = MAX_LINES;
  let cells = MAX_CELLS;
  const kept = (sheets ?? []).map(({ name, rows }) => {
    const some = rows.slice(0, Math.max(0, left)).filter((row) => {
      cells -= row.length;
      return cells >= 0;
    });
    left -= rows.length;
    return { name, rows: some };
  });
  return {
    sheets: kept,
    notes: [
      ...notes,
      ...(left < 0 ? [note] : []),
      ...(cells < 0 ? [`Only the first ${MAX_CELLS} cells were looked at.`] : []),
    ],
  };
}

/** Pages of a PDF end with a form feed. */
const BREAK = /[\n\f]/g;

function nthLineEnd(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line++) {
    BREAK.lastIndex = at + 1;
    at = BREAK.exec(text)?.index ?? -1;
    if (at < 0) return -1;
  }
  return at;
}
