import type { Logger } from 'pino';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import { nextSlice } from '../../lib/threads/in-slices.ts';
import { type Embedder, EmbedFailure } from '../../outside/embed/embedder.ts';
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
import { MAX_UPLOAD_BYTES } from './accept-file.ts';
import { parseFile } from './parse-file.ts';

export interface IngestDeps {
  db: Db;
  log: Logger;
  outside: Pick<Outside, 'blobs' | 'readFile' | 'embeddings'>;
}

/** Finding the words of so many takes some ten milliseconds. */
const ITEMS_A_WRITE = 25;
const ITEMS_A_QUESTION = 32;
/** Tries of what may go better another time; a process that dies over it counts as one. */
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 300_000;
const BUSY_WAIT_MS = 5_000;

/** Somebody else has it now, or it is gone. */
class NotHeld extends Error {
  override name = 'NotHeld';
}
/** It will never be more than this. */
class Unusable extends Error {
  override name = 'Unusable';
  readonly reason: string;

  constructor(reason: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Reads the file of a source and makes it findable, or gives what is found already the vectors of today's model. It
 * is done in steps, each a short transaction; one that is broken off goes on behind the last. Throws only where the database cannot be reached.
 */
export async function ingestKnowledge(
  ref: ContentRef,
  work: IngestDeps,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log, outside } = work;
  const { current } = outside.embeddings;
  const held = await leaseContent(db, ref, current.model);
  if (!held) return;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const timer = setInterval(() => {
    renewContentLease(db, held).then(
      (isHeld) => {
        if (!isHeld) lost.abort();
      },
      () => {},
    );
  }, RENEW_MS);
  try {
    if (held.attempts > MAX_ATTEMPTS)
      throw new Unusable(reasonOf(held), 'It was given up after several tries.');
    if (held.status === 'processing' && !held.isRead) await readIn(work, held, signal);
    await embedItems(db, held, current, signal);
    await completeContent(db, held, current.model);
  } catch (error) {
    if (!lost.signal.aborted && !(error instanceof NotHeld)) {
      await judge(work, held, error, stopping).catch((fault: unknown) =>
        logFault(log, fault, 'knowledge cannot be put off', { contentId: ref.contentId }),
      );
    }
  } finally {
    clearInterval(timer);
  }
}

/** Gives up, or lets it be tried again later. */
async function judge({ db, log }: IngestDeps, held: LeasedContent, error: unknown, stopping: AbortSignal) {
  const { contentId, attempts, status } = held;
  if (stopping.aborted) return await postponeContent(db, held, 0, { counts: false });
  if (error instanceof FileFailure && error.kind === 'aborted')
    return await postponeContent(db, held, BUSY_WAIT_MS, { counts: false });
  const unusable = asUnusable(held, error);
  const isOver = error instanceof Unusable || isFinal(error) || attempts >= MAX_ATTEMPTS;
  logFailure(log, error, { contentId, attempts }, isOver);
  // What is found already stays as it is.
  if (isOver && status === 'processing')
    return await failContent(db, held, unusable.reason, unusable.message);
  const asked = error instanceof EmbedFailure ? (error.retryAfterMs ?? 0) : 0;
  const waitMs = isOver ? MAX_WAIT_MS : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  await postponeContent(db, held, Math.max(asked, waitMs), { counts: status === 'processing' });
}

function logFailure(log: IngestDeps['log'], error: unknown, about: object, isOver: boolean): void {
  const message = isOver ? 'knowledge is given up' : 'knowledge waits for another try';
  const line = { ...about, reason: error instanceof Error ? error.message : String(error) };
  // A file that cannot be read is its uploader's.
  if (error instanceof FileFailure || error instanceof Unusable) log.info(line, message);
  else if (error instanceof EmbedFailure) log.warn(line, message);
  else logFault(log, error, message, about);
}

const isFinal = (error: unknown): boolean =>
  (error instanceof FileFailure && error.kind !== 'timeout') ||
  (error instanceof EmbedFailure && ['not-configured', 'rejected'].includes(error.kind));

/** The word that the wire has for whatever went wrong with a file of this type. */
const reasonOf = ({ mimeType }: LeasedContent): string =>
  mimeType === 'application/pdf' ? 'pdf-llm-conversion-failed' : 'unsupported-mime-detected-post-validation';

function asUnusable(held: LeasedContent, error: unknown): Unusable {
  if (error instanceof Unusable) return error;
  if (error instanceof FileFailure) return new Unusable(reasonOf(held), error.message);
  if (error instanceof EmbedFailure) {
    return new Unusable('embedding-failed', 'The text of the file could not be turned into vectors.');
  }
  return new Unusable('storage-upload-failed', 'The file could not be kept or read back.');
}

async function readIn({ db, outside }: IngestDeps, held: LeasedContent, signal: AbortSignal): Promise<void> {
  const blob = await outside.blobs.get(held.blobKey);
  if (!blob) throw new Unusable('storage-upload-failed', 'The file is not kept any more.');
  const content = await outside.readFile(
    { bytes: blob.bytes, mimeType: held.mimeType },
    { signal, maxBytes: MAX_UPLOAD_BYTES },
  );
  const { markdown, rules, chunks, notes } = await parseFile(held.apiKeyId, content);
  if (markdown === '') throw new Unusable(reasonOf(held), ['The file holds no text.', ...notes].join(' '));
  const items: NewItem[] = [
    ...rules.map((rule, position) => ({
      kind: 'rule' as const,
      position,
      heading: rule.category,
      text: rule.content,
    })),
    ...chunks.map((chunk, position) => ({ kind: 'chunk' as const, position, ...chunk })),
  ];
  await deleteItems(db, held);
  for (let from = 0; from < items.length; from += ITEMS_A_WRITE) {
    signal.throwIfAborted();
    const part = items.slice(from, from + ITEMS_A_WRITE);
    await db.transaction().execute(async (tx) => {
      if (!(await renewContentLease(tx, held))) throw new NotHeld();
      await writeItems(tx, held, part);
    });
    await nextSlice();
  }
  const kind = rules.length > 0 ? 'rules' : 'prose';
  const counts = { ruleCount: rules.length, chunkCount: chunks.length };
  if (!(await noteRead(db, held, { kind, markdown, notes, ...counts }))) throw new NotHeld();
}

/** The vectors of all that has none of this model yet. */
async function embedItems(
  db: Db,
  held: LeasedContent,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<void> {
  let after = '';
  for (;;) {
    const items = await listWithoutVectors(db, held, embedder.model, after, ITEMS_A_QUESTION);
    if (items.length === 0) return;
    const vectors = await vectorsOf(items, embedder, signal);
    signal.throwIfAborted();
    await db.transaction().execute(async (tx) => {
      if (!(await renewContentLease(tx, held))) throw new NotHeld();
      await writeVectors(tx, held, embedder.model, vectors);
    });
    after = items.at(-1)!.itemId;
    await nextSlice();
  }
}

/** A text that the model will not take goes without, and is found by its words alone. */
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
