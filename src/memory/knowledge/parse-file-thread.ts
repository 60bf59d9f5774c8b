import { serveTasks } from '../../lib/threads/serve-tasks.ts';
import { runParseTask } from './parse-file.ts';

/** Worker thread of `parse-file.ts`, for long files. */
serveTasks(runParseTask);
