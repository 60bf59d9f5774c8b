import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from '../../../lib/threads/low-priority.ts';
import type { ModelReport, ModelTask } from './model-process.ts';

const PROGRAM = fileURLToPath(new URL('model-process.ts', import.meta.url));
const HEAP_MB = 256;

export interface ChildModel {
  pid: number | undefined;
  run(task: ModelTask): void;
  /** Whether this process has to live until something comes of it. */
  hold(isNeeded: boolean): void;
  kill(): void;
  /** Comes to pass when the process is gone. */
  ended: Promise<void>;
}

/** Starts the process of the local model, which ends with this one at the latest. */
export function startChildModel(heard: (report: ModelReport) => void, program = PROGRAM): ChildModel {
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Vectors cross as they are, and texts with halves of characters too.
    serialization: 'advanced',
    // Our environment holds secrets, and the program needs nothing of it. Without these settings of the C library, much
    // of what the making of the model took would stay with the process (measured: 205 MB in place of 150).
    env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
    cwd: '/',
    killSignal: 'SIGKILL',
  });
  lowerPriority(child.pid);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  child.on('message', (message) => heard(message as ModelReport));
  // It could not be started, or not be sent to; only in the former case no exit follows.
  child.on('error', () => {
    if (child.pid === undefined) resolve();
  });
  child.on('exit', () => resolve());
  return {
    pid: child.pid,
    run: (task) => child.send(task, () => {}),
    hold(isNeeded) {
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
