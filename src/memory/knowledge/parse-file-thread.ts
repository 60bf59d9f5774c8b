import { serveTasks } from '../../lib/threads/serve-tasks.ts';
import { runParseTask } from './parse-file.ts';

serveTasks(runParseTask);
