import { serveTasks } from '../../lib/serve-tasks.ts';
import { readChecklist } from './read-checklist.ts';

serveTasks(readChecklist);
