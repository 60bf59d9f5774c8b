import { cutText, storable } from '../../lib/text/cut-text.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/threads/worker-pool.ts';
import type { FileContent } from '../../outside/files/file-reader.ts';
import { findRules, type Rule, rulesOfText } from './find-rules.ts';
import { type Chunk, toChunks } from './to-chunks.ts';
import { toMarkdown } from './to-markdown.ts';

/** What a file says, in the parts that are found. */
export interface ParsedFile {
  /** Empty where the file holds no text. */
  markdown: string;
  rules: Rule[];
  chunks: Chunk[];
  /** What was left out, as sentences. */
  notes: string[];
}

export type ParseTask = { name: 'digest'; content: FileContent } | { name: 'rules'; text: string };
export interface ParseResults {
  digest: ParsedFile;
  rules: Rule[];
}

const MAX_CHUNKS = 5_000;
const MAX_RULES = 5_000;
/** A text of this length takes a few milliseconds, and handing it to a thread no less. */
const SMALL_CHARS = 50_000;
const HEAP_MB = 512;

export function runParseTask(task: ParseTask): ParsedFile | Rule[] {
  return task.name === 'digest' ? digest(task.content) : rulesOfText(task.text).slice(0, MAX_RULES);
}

function digest(read: FileContent): ParsedFile {
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
      ...(chunks.length >= MAX_CHUNKS ? [`Only the first ${MAX_CHUNKS} parts of the text are found.`] : []),
    ].map((note) => cutText(note, 500)),
  };
}

let shared: WorkerPool<ParseTask, ParsedFile | Rule[]> | undefined;

const inThread = (owner: string, task: ParseTask): Promise<unknown> => {
  shared ??= createWorkerPool({
    url: new URL('./parse-file-thread.ts', import.meta.url),
    size: 1,
    heapMb: HEAP_MB,
    subject: 'the text of files',
  });
  return shared.run(owner, () => task);
};

/** Takes a file apart, a long one in a thread. An API key has one file taken apart at a time. */
export async function parseFile(apiKeyId: string, content: FileContent): Promise<ParsedFile> {
  return lengthOf(content) <= SMALL_CHARS
    ? digest(content)
    : ((await inThread(apiKeyId, { name: 'digest', content })) as ParsedFile);
}

/** See `rulesOfText`; those of a long text in a thread, and no more of them than a source may have. */
export async function parseRules(apiKeyId: string, text: string): Promise<Rule[]> {
  return text.length <= SMALL_CHARS
    ? rulesOfText(text).slice(0, MAX_RULES)
    : ((await inThread(apiKeyId, { name: 'rules', text })) as Rule[]);
}

const lengthOf = ({ text = '', sheets = [] }: FileContent): number =>
  sheets.reduce(
    (sum, { rows }) => sum + rows.reduce((cells, row) => cells + row.join('').length + row.length, 0),
    text.length,
  );
