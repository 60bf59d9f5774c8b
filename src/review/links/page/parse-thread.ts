import { serveTasks } from '../../../lib/threads/serve-tasks.ts';
import { type ParsedPage, type ParseTask, parseAndPack } from './parse-page.ts';

/** Worker thread of `page-parser.ts`, for pages that would block the main thread. */
serveTasks<ParseTask, ParsedPage>(parseAndPack, ({ packed }) => (packed ? [packed.buffer] : []), 'normal');
