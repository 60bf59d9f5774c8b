import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from '../../lib/threads/low-priority.ts';
import { createSemaphore } from '../../lib/threads/semaphore.ts';
import { MAX_FILE_BYTES } from './file-limits.ts';
import { type FileContent, FileFailure, type ReadFile } from './file-reader.ts';
import { type FileType, fileTypeOf } from './file-type.ts';
import type { ReaderAnswer } from './reader-process.ts';

export interface ReaderLimits {
  /** Timeout of one file, without its time in the queue. */
  timeoutMs: number;
  maxMemoryBytes: number;
  /** Files read at once. */
  atOnce: number;
  /** Limit of queued files; each of them is in memory. */
  waiting: number;
}

const defaultLimits: ReaderLimits = {
  timeoutMs: 30_000,
  maxMemoryBytes: 512 * 1024 * 1024,
  atOnce: 2,
  waiting: 20,
};
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const HEAP_MB = 256;
const WATCH_MS = 50;
const PAGE_BYTES = 4096;

const PROGRAM = fileURLToPath(new URL('reader-process.ts', import.meta.url));
/** Paths that the process may read: code, and no data. */
const READABLE = [
  fileURLToPath(new URL('../../../package.json', import.meta.url)),
  fileURLToPath(new URL('../../../node_modules/*', import.meta.url)),
  fileURLToPath(new URL('../../*', import.meta.url)),
];

/**
 * Reads untrusted files in a sandbox. Each file gets a process of its own, without settings and without permission to
 * write files or start programs, which is killed when it exceeds its time or memory.
 */
export function createReadFile(limits: Partial<ReaderLimits> = {}): ReadFile {
  const within = { ...defaultLimits, ...limits };
  const slots = createSemaphore(within.atOnce);
  let present = 0;

  return async ({ bytes, mimeType }, { signal, maxBytes = MAX_FILE_BYTES } = {}) => {
    const type = fileTypeOf(mimeType, bytes);
    if (bytes.length > maxBytes) {
      const maxMiB = maxBytes / 1024 / 1024;
      throw new FileFailure('too-large', `The file is larger than ${maxMiB} MiB.`);
    }
    if (present >= within.atOnce + within.waiting) {
      throw new FileFailure('aborted', 'Too many files are being read at the moment.');
    }
    present++;
    try {
      const release = await slots.acquire(signal).catch(() => {
        throw aborted();
      });
      try {
        if (signal?.aborted) throw aborted();
        return await readInProcess(type, bytes, within, signal);
      } finally {
        release();
      }
    } finally {
      present--;
    }
  };
}

const aborted = () => new FileFailure('aborted', 'Reading the file was given up.');

function startReader(type: FileType, { timeoutMs }: ReaderLimits): ChildProcess {
  const node = [
    `--max-old-space-size=${HEAP_MB}`,
    '--permission',
    ...READABLE.map((path) => `--allow-fs-read=${path}`),
    PROGRAM,
    type,
  ];
  // If the service dies, no timeout kills the process any more; then the limit of its CPU time does.
  const limited = ['-c', 'ulimit -t "$0"; exec "$@"', String(Math.ceil(timeoutMs / 1000) + 5)];
  const [program, args] =
    process.platform === 'win32'
      ? [process.execPath, node]
      : ['/bin/sh', [...limited, process.execPath, ...node]];
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    cwd: '/',
    windowsHide: true,
  });
  lowerPriority(child.pid);
  return child;
}

async function readInProcess(
  type: FileType,
  bytes: Uint8Array,
  limits: ReaderLimits,
  signal: AbortSignal | undefined,
): Promise<FileContent> {
  const child = startReader(type, limits);
  let ended: FileFailure | undefined;
  const end = (failure: FileFailure) => {
    ended ??= failure;
    child.kill('SIGKILL');
  };
  const onAbort = () => end(aborted());
  const timer = setTimeout(
    () => end(new FileFailure('timeout', 'Reading the file takes too long.')),
    limits.timeoutMs,
  );
  const watch = setInterval(async () => {
    if ((await memoryOf(child.pid)) > limits.maxMemoryBytes) end(tooMuch());
  }, WATCH_MS);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const answer = await converse(child, bytes, end);
    if (ended) throw ended;
    if (answer === undefined) {
      throw child.signalCode === null && child.exitCode === 0
        ? new FileFailure('unreadable', 'The file cannot be read. It may be damaged.')
        : tooMuch();
    }
    if ('failure' in answer) throw new FileFailure(answer.failure.kind, answer.failure.message);
    return answer.content;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener('abort', onAbort);
  }
}

const tooMuch = () =>
  new FileFailure('too-large', 'Reading the file takes too much memory. Is it made to break readers?');

/** Sends the file and waits for the process to exit; undefined if it gave no valid answer. */
function converse(
  child: ChildProcess,
  bytes: Uint8Array,
  end: (failure: FileFailure) => void,
): Promise<ReaderAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout!.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) end(new FileFailure('too-large', 'The file contains too much text.'));
      else chunks.push(chunk);
    });
    child.on('error', (cause) =>
      reject(new FileFailure('aborted', 'No file can be read at the moment.', { cause })),
    );
    child.on('close', () => {
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as ReaderAnswer);
      } catch {
        resolve(undefined);
      }
    });
    // The process may exit before it has read everything; its exit is handled above.
    child.stdin!.on('error', () => {});
    child.stdin!.end(bytes);
  });
}

/** Resident memory in bytes on Linux; 0 elsewhere, where only the heap limit applies. */
async function memoryOf(pid: number | undefined): Promise<number> {
  try {
    const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1];
    return Number(pages) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
