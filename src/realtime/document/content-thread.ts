import { serveTasks } from '../../lib/threads/serve-tasks.ts';
import { buffersOf, type ContentTask, doContentTask } from './content-tasks.ts';

serveTasks<ContentTask, ReturnType<typeof doContentTask>>(doContentTask, buffersOf);
