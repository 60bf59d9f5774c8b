import { serveTasks } from '../../lib/serve-tasks.ts';
import { doDigestTask } from './digest.ts';

serveTasks(doDigestTask);
