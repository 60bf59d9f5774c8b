import { cutText, storable } from '../../lib/text/cut-text.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/threads/worker-pool.ts';
import type { FileContent } from '../../outside/files/file-reader.ts';
import { findRules, type Rule, rulesOfText } from './find-rules.ts';
import { type Chunk, toChunks } from './to-chunks.ts';
import { toMarkdown } from './to-markdown.ts';

/** Text of a file as Markdown, with its rules and chunks. */
export interface ParsedFile {
  /** Empty if the file has no text. */
  markdown: string;
  rules: Rule[];
  chunks: Chunk[];
  /** Sentences about what was left out. */
  notes: string[];
}

export type ParseTask = { name: 'parse'; content: FileContent } | { name: 'rules'; text: string };
export interface ParseResults {
  parse: ParsedFile;
  rules: Rule[];
}

const MAX_CHUNKS = 5_000;
const MAX_RULES = 5_000;
/** Up to this length, parsing takes a few milliseconds, no more than handing it to a thread. */
const SMALL_CHARS = 50_000;
const HEAP_MB = 512;

export function runParseTask(task: ParseTask): ParsedFile | Rule[] {
  return task.name === 'parse' ? parse(task.content) : rulesOfText(task.text).slice(0, MAX_RULES);
}

function parse(read: FileContent): ParsedFile {
  const content = storable(read);
  const markdown = toMarkdown(content);
  const found = findRules(content);
  const chunks = toChunks(markdown, MAX_CHUNKS);
  return {
    markdown,
    rules: found.slice(0, MAX_RULES),
    chunks,
    notes: [
      ...content.notes,
      ...(found.length > MAX_RULES ? [`Only the first ${MAX_RULES} rules were kept.`] : []),
      ...(chunks.length >= MAX_CHUNKS
        ? [`Only the first ${MAX_CHUNKS} parts of the text are searchable.`]
        : []),
    ].map((note) => cutText(note, 500)),
  };
}

let pool: WorkerPool<ParseTask, ParsedFile | Rule[]> | undefined;

const runInThread = (owner: string, task: ParseTask): Promise<unknown> => {
  pool ??= createWorkerPool({
    url: new URL('./parse-file-thread.ts', import.meta.url),
    size: 1,
    heapMb: HEAP_MB,
    subject: 'the text of files',
  });
  return pool.run(owner, () => task);
};

/** Parses a file, a long one in a worker thread. Each API key has at most one file in the thread. */
export async function parseFile(apiKeyId: string, content: FileContent): Promise<ParsedFile> {
  return lengthOf(content) <= SMALL_CHARS
    ? parse(content)
    : ((await runInThread(apiKeyId, { name: 'parse', content })) as ParsedFile);
}

/** Like `rulesOfText`, in a worker thread for a long text, and limited to the number of rules that a source may have. */
export async function parseRules(apiKeyId: string, text: string): Promise<Rule[]> {
  return text.length <= SMALL_CHARS
    ? rulesOfText(text).slice(0, MAX_RULES)
    : ((await runInThread(apiKeyId, { name: 'rules', text })) as Rule[]);
}

const lengthOf = ({ text = '', sheets = [] }: FileContent): number =>
  sheets.reduce(
    (sum, { rows }) => sum + rows.reduce((cells, row) => cells + row.join('').length + row.length, 0),
    text.length,
  );
