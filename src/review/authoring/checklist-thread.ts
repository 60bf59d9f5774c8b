import { serveTasks } from '../../lib/threads/serve-tasks.ts';
import { readChecklist } from './read-checklist.ts';

serveTasks(readChecklist);
