import { serveTasks } from '../../../lib/threads/serve-tasks.ts';
import { type ParsedText, type ParseTask, parseToText } from './parse-page.ts';

/** Worker thread of `page-parser.ts`, for pages that would block the main thread. */
serveTasks<ParseTask, ParsedText>(parseToText, ({ json, packed }) => [
  json.buffer,
  ...(packed ? [packed.buffer] : []),
]);
