import type { Logger } from 'pino';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import { LeaseLost } from '../../lib/errors.ts';
import { keepLease } from '../../lib/lease.ts';
import { nextSlice } from '../../lib/threads/in-slices.ts';
import { type Embedder, EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import { FileFailure } from '../../outside/files/file-reader.ts';
import type { Outside } from '../../outside/outside.ts';
import {
  type ContentRef,
  completeContent,
  failContent,
  type LeasedContent,
  leaseContent,
  noteRead,
  postponeContent,
  RENEW_MS,
  renewContentLease,
} from '../../store/knowledge/knowledge-contents.ts';
import {
  deleteItems,
  type ItemText,
  listWithoutVectors,
  type NewItem,
  writeItems,
  writeVectors,
} from '../../store/knowledge/knowledge-items.ts';
import { MAX_UPLOAD_BYTES } from './check-file.ts';
import { parseFile } from './parse-file.ts';

export interface IngestDeps {
  db: Db;
  log: Logger;
  outside: Pick<Outside, 'blobs' | 'readFile' | 'embeddings'>;
}

/** Items per transaction; finding their words takes some ten milliseconds. */
const ITEMS_PER_WRITE = 25;
const ITEMS_PER_REQUEST = 32;
/** Attempts for transient failures; a process that dies over it counts as one. */
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 300_000;
const BUSY_WAIT_MS = 5_000;

/** A permanent failure. */
class PermanentFailure extends Error {
  override name = 'PermanentFailure';
  readonly reason: string;

  constructor(reason: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Ingests a content: reads its file and makes it searchable, or embeds it with the current model. Works in short
 * transactions and resumes after the last one that committed. Throws only if the database is unreachable.
 */
export async function ingestKnowledge(
  ref: ContentRef,
  work: IngestDeps,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log, outside } = work;
  const { current } = outside.embeddings;
  const leased = await leaseContent(db, ref, current.model);
  if (!leased) return;
  const lease = keepLease(() => renewContentLease(db, leased), { everyMs: RENEW_MS, onError: () => {} });
  const signal = AbortSignal.any([stopping, lease.lost]);
  try {
    if (leased.attempts > MAX_ATTEMPTS)
      throw new PermanentFailure(reasonOf(leased), 'It was given up after several tries.');
    if (leased.status === 'processing' && !leased.isRead) await readFile(work, leased, signal);
    await embedItems(db, leased, current, signal);
    await completeContent(db, leased, current.model);
  } catch (error) {
    if (!lease.lost.aborted && !(error instanceof LeaseLost)) {
      await handleFailure(work, leased, error, stopping).catch((fault: unknown) =>
        logFault(log, fault, 'could not postpone a knowledge content', { contentId: ref.contentId }),
      );
    }
  } finally {
    lease.stop();
  }
}

/** Marks the content as failed, or schedules another attempt. */
async function handleFailure(
  { db, log }: IngestDeps,
  leased: LeasedContent,
  error: unknown,
  stopping: AbortSignal,
) {
  const { contentId, attempts, status } = leased;
  if (stopping.aborted) return await postponeContent(db, leased, 0, { counts: false });
  if (error instanceof FileFailure && error.kind === 'aborted')
    return await postponeContent(db, leased, BUSY_WAIT_MS, { counts: false });
  const failure = asPermanentFailure(leased, error);
  const isFinal = error instanceof PermanentFailure || isPermanent(error) || attempts >= MAX_ATTEMPTS;
  logFailure(log, error, { contentId, attempts }, isFinal);
  // A content that is searchable already stays so.
  if (isFinal && status === 'processing')
    return await failContent(db, leased, failure.reason, failure.message);
  const requestedMs = error instanceof EmbedFailure ? (error.retryAfterMs ?? 0) : 0;
  const waitMs = isFinal ? MAX_WAIT_MS : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  await postponeContent(db, leased, Math.max(requestedMs, waitMs), { counts: status === 'processing' });
}

function logFailure(log: IngestDeps['log'], error: unknown, about: object, isFinal: boolean): void {
  const message = isFinal ? 'ingestion of knowledge failed' : 'ingestion of knowledge will be retried';
  const line = { ...about, reason: error instanceof Error ? error.message : String(error) };
  // Unreadable files are a mistake of the uploader, not of the operator, so they cause no warning.
  if (error instanceof FileFailure || error instanceof PermanentFailure) log.info(line, message);
  else if (error instanceof EmbedFailure) log.warn(line, message);
  else logFault(log, error, message, about);
}

const isPermanent = (error: unknown): boolean =>
  (error instanceof FileFailure && error.kind !== 'timeout') ||
  (error instanceof EmbedFailure && ['not-configured', 'rejected'].includes(error.kind));

/** The API's failure reason for a file of this type. */
const reasonOf = ({ mimeType }: LeasedContent): string =>
  mimeType === 'application/pdf' ? 'pdf-llm-conversion-failed' : 'unsupported-mime-detected-post-validation';

function asPermanentFailure(leased: LeasedContent, error: unknown): PermanentFailure {
  if (error instanceof PermanentFailure) return error;
  if (error instanceof FileFailure) return new PermanentFailure(reasonOf(leased), error.message);
  if (error instanceof EmbedFailure) {
    return new PermanentFailure('embedding-failed', 'The text of the file could not be turned into vectors.');
  }
  return new PermanentFailure('storage-upload-failed', 'The file could not be kept or read back.');
}

async function readFile(
  { db, outside }: IngestDeps,
  leased: LeasedContent,
  signal: AbortSignal,
): Promise<void> {
  const blob = await outside.blobs.get(leased.blobKey);
  if (!blob) throw new PermanentFailure('storage-upload-failed', 'The file is not kept any more.');
  const content = await outside.readFile(
    { bytes: blob.bytes, mimeType: leased.mimeType },
    { signal, maxBytes: MAX_UPLOAD_BYTES },
  );
  const { markdown, rules, chunks, notes } = await parseFile(leased.apiKeyId, content);
  if (markdown === '')
    throw new PermanentFailure(reasonOf(leased), ['The file contains no text.', ...notes].join(' '));
  const items: NewItem[] = [
    ...rules.map((rule, position) => ({
      kind: 'rule' as const,
      position,
      heading: rule.category,
      text: rule.content,
    })),
    ...chunks.map((chunk, position) => ({ kind: 'chunk' as const, position, ...chunk })),
  ];
  await deleteItems(db, leased);
  for (let from = 0; from < items.length; from += ITEMS_PER_WRITE) {
    signal.throwIfAborted();
    const part = items.slice(from, from + ITEMS_PER_WRITE);
    await db.transaction().execute(async (tx) => {
      if (!(await renewContentLease(tx, leased)))
        throw new LeaseLost('The content belongs to another process now, or was deleted.');
      await writeItems(tx, leased, part);
    });
    await nextSlice();
  }
  const kind = rules.length > 0 ? 'rules' : 'prose';
  const counts = { ruleCount: rules.length, chunkCount: chunks.length };
  if (!(await noteRead(db, leased, { kind, markdown, notes, ...counts })))
    throw new LeaseLost('The content belongs to another process now, or was deleted.');
}

/** Embeds the items that have no vectors of this model. */
async function embedItems(
  db: Db,
  leased: LeasedContent,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<void> {
  let after = '';
  for (;;) {
    const items = await listWithoutVectors(db, leased, embedder.model, after, ITEMS_PER_REQUEST);
    if (items.length === 0) return;
    const vectors = await vectorsOf(items, embedder, signal);
    signal.throwIfAborted();
    await db.transaction().execute(async (tx) => {
      if (!(await renewContentLease(tx, leased)))
        throw new LeaseLost('The content belongs to another process now, or was deleted.');
      await writeVectors(tx, leased, embedder.model, vectors);
    });
    after = items.at(-1)!.itemId;
    await nextSlice();
  }
}

/** Items that the model rejects get no vectors, and are found by words alone. */
async function vectorsOf(items: readonly ItemText[], embedder: Embedder, signal: AbortSignal) {
  let left = [...items];
  for (;;) {
    const texts = left.map(({ heading, text }) => (heading === null ? text : `${heading}\n${text}`));
    try {
      const windows = texts.length === 0 ? [] : await embedder.embed(texts, { signal });
      return left.map(({ itemId }, index) => ({ itemId, windows: windows[index]! }));
    } catch (error) {
      if (!(error instanceof EmbedFailure) || error.place === undefined || !left[error.place]) throw error;
      left = left.toSpliced(error.place, 1);
    }
  }
}
