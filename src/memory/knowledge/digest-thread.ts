import { serveTasks } from '../../lib/threads/serve-tasks.ts';
import { doDigestTask } from './digest.ts';

serveTasks(doDigestTask);
