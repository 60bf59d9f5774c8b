import type { Checklist } from '../../lib/checklist/checklist-item.ts';
import { ApiError, invalidArgument } from '../../lib/errors.ts';
import { shorten, storable } from '../../lib/text/cut-text.ts';
import { plural } from '../../lib/text/plural.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/threads/worker-pool.ts';
import { type FileContent, FileFailure, type ReadFile } from '../../outside/files/file-reader.ts';
import { asApiError } from '../../outside/models/model-api-error.ts';
import type { ModelProvider, Models } from '../../outside/models/models.ts';
import type { CheckUrl } from '../../outside/net/ssrf-guard.ts';
import { newAgent } from '../agents/agent-shape/agent-shape.ts';
import { type AgentDraft, type Extraction, MAX_AGENTS, type UncheckedExtraction } from './agent-draft.ts';
import { agentsByModel } from './agents-by-model.ts';
import { makeAgent } from './make-agent.ts';
import { readChecklist } from './read-checklist.ts';

const MAX_ORIGINAL_CHARS = 500;
const MAX_SKIPPED = 1_000;
/** Limit for the lines of a text, or the rows of all sheets together. */
const MAX_LINES = 20_000;
/** Limit for the cells of all sheets together. */
const MAX_CELLS = 200_000;

export interface UploadedFile {
  bytes: Uint8Array;
  mimeType: string;
  fileName?: string | undefined;
}

interface ExtractionDeps {
  /** API key of the caller; each has one file read at a time. */
  owner: string;
  readFile: ReadFile;
  models: Models;
  checkUrl: CheckUrl;
  /** Token limit for the whole file. */
  tokens: number;
}

/**
 * Makes agents from a file with a checklist, by a language model if one is configured and by rule otherwise. Each agent
 * is valid input for creating it. Throws `ApiError`.
 */
export async function extractAgents(
  file: UploadedFile,
  provider: ModelProvider | undefined,
  deps: ExtractionDeps,
): Promise<Extraction> {
  const choice = chooseModel(deps.models, provider);
  const content = beginning(await contentOf(file, deps.readFile));
  try {
    const made = choice
      ? await agentsByModel(content, file.fileName, choice, deps.models, deps.tokens)
      : await byRule(deps.owner, content, file.fileName);
    return storable(validated(made, content.notes, deps.checkUrl));
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

async function byRule(
  owner: string,
  content: FileContent,
  fileName: string | undefined,
): Promise<UncheckedExtraction> {
  const { items, skipped } = await readInThread(owner, content);
  const what = content.text === undefined ? 'row' : 'item of a list';
  return {
    agents: items.map((item) => ({ make: () => makeAgent(item, fileName), original: item.original })),
    skipped,
    by: `No language model is configured, so the file was converted by rule: each ${what} became an agent.`,
  };
}

/** Drops invalid and duplicate agents, and those beyond `MAX_AGENTS`. */
function validated(
  { agents, skipped, by }: UncheckedExtraction,
  notes: readonly string[],
  checkUrl: CheckUrl,
): Extraction {
  const schema = newAgent(checkUrl);
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
      `${plural(kept.size, 'agent')}, ${left.length} skipped.`,
      ...(left.length > listed.length ? [`Only the first ${MAX_SKIPPED} of these are listed.`] : []),
      ...notes,
    ].join(' '),
    skipped: listed.map(({ originalText, reason }) => ({
      originalText: shorten(originalText, MAX_ORIGINAL_CHARS),
      reason,
    })),
  };
}

/** Cuts a file to `MAX_LINES` and `MAX_CELLS`, with a note for the summary. */
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

/** Checklists up to this size are read in the main thread: it takes a few milliseconds, as long as passing them on. */
const SMALL_CHARS = 50_000;
const SMALL_ROWS = 500;
const HEAP_MB = 512;

let shared: WorkerPool<FileContent, Checklist> | undefined;

/** Reads long files in a worker thread, one file at a time for each owner. */
async function readInThread(owner: string, content: FileContent): Promise<Checklist> {
  const { text, sheets = [] } = content;
  const isSmall =
    text === undefined
      ? sheets.reduce((sum, { rows }) => sum + rows.length, 0) <= SMALL_ROWS
      : text.length <= SMALL_CHARS;
  if (isSmall) return readChecklist(content);
  shared ??= createWorkerPool({
    url: new URL('./checklist-thread.ts', import.meta.url),
    size: 1,
    heapMb: HEAP_MB,
    subject: 'checklists',
  });
  return await shared.run(owner, () => content);
}
