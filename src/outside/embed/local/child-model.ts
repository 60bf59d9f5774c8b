import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from '../../../lib/threads/low-priority.ts';
import type { ModelReport, ModelTask } from './model-process.ts';

const PROGRAM = fileURLToPath(new URL('model-process.ts', import.meta.url));
const HEAP_MB = 256;

export interface ChildModel {
  pid: number | undefined;
  run(task: ModelTask): void;
  /** Keeps this process alive while it waits for vectors, or lets it exit. */
  keepAlive(isNeeded: boolean): void;
  kill(): void;
  /** Resolves when the process has exited. */
  ended: Promise<void>;
}

/** Starts the local model's process, which exits with this one at the latest. */
export function startChildModel(onReport: (report: ModelReport) => void, program = PROGRAM): ChildModel {
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Structured clone keeps vectors binary, and texts with lone surrogates intact.
    serialization: 'advanced',
    // The environment contains secrets, and the program needs none of it. These settings of the C library return
    // memory of the model's construction to the system (measured: 150 MB remain rather than 205).
    env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
    cwd: '/',
    killSignal: 'SIGKILL',
  });
  lowerPriority(child.pid);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  child.on('message', (message) => onReport(message as ModelReport));
  // After a failed start, no exit event follows; a failed send is followed by one.
  child.on('error', () => {
    if (child.pid === undefined) resolve();
  });
  child.on('exit', () => resolve());
  return {
    pid: child.pid,
    run: (task) => child.send(task, () => {}),
    keepAlive(isNeeded) {
      if (isNeeded) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}
