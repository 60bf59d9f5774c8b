// Program of the sandboxed process that reads one file: the file arrives on stdin, the answer leaves on stdout.
import { buffer } from 'node:stream/consumers';
import { type FileContent, FileFailure } from './file-reader.ts';
import type { FileType } from './file-type.ts';
import { readFileContent } from './read-file-content.ts';

/** Answer of the process, as JSON. */
export type ReaderAnswer =
  | { content: FileContent }
  | { failure: { kind: FileFailure['kind']; message: string } };

// Output of libraries would corrupt the answer.
for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => {};

const answer = await buffer(process.stdin)
  .then((bytes) => readFileContent(process.argv[2] as FileType, bytes))
  .then(
    (content): ReaderAnswer => ({ content }),
    (error: unknown): ReaderAnswer => ({
      failure:
        error instanceof FileFailure
          ? { kind: error.kind, message: error.message }
          : { kind: 'unreadable', message: 'The file cannot be read. It may be damaged.' },
    }),
  );
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
