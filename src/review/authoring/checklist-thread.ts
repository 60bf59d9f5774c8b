import { serveTasks } from '../../lib/threads/serve-tasks.ts';
import { readChecklist } from './read-checklist.ts';

/** Worker thread of `extract-agents.ts`, for long checklists. */
serveTasks(readChecklist);
