import { serveTasks } from '../../lib/threads/serve-tasks.ts';
import { doDigestTask } from './parse-file.ts';

serveTasks(doDigestTask);
