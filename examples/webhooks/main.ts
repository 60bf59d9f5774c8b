import { readFileSync } from 'node:fs';
import { createReceiver } from './receiver.ts';

const { WEBHOOK_SECRET, WEBHOOK_PRIVATE_KEY_FILE } = process.env;
const [port = '4000'] = process.argv.slice(2);
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of the endpoint.');
  process.exit(1);
}

// A real receiver uses a table with the id as its primary key.
const kept = new Set<string>();

interface Subjects {
  document?: { documentId?: string };
  documentId?: string;
  annotationId?: string;
  commentAnnotation?: { annotationId?: string };
  targetComment?: { commentText?: string };
}
/** Describes a message in a few words. */
const describe = (data: Subjects): string =>
  [
    data.documentId ?? data.document?.documentId,
    data.annotationId ?? data.commentAnnotation?.annotationId,
    data.targetComment?.commentText,
  ]
    .filter((part) => part !== undefined)
    .join('  ')
    .slice(0, 80);

const receiver = createReceiver({
  secret: WEBHOOK_SECRET,
  ...(WEBHOOK_PRIVATE_KEY_FILE && { privateKey: readFileSync(WEBHOOK_PRIVATE_KEY_FILE, 'utf8') }),
  async keep(id, message) {
    if (kept.has(id)) return;
    kept.add(id);
    console.log(`Received ${message.event}  ${describe((message.data ?? {}) as Subjects)}`.trimEnd());
  },
});
receiver.on('error', (error: NodeJS.ErrnoException) => {
  const why = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message;
  console.error(`Webhooks cannot be received on port ${port}: ${why}.`);
  process.exitCode = 1;
});
receiver.listen(Number(port), '127.0.0.1', () =>
  console.log(`Receiving webhooks at http://127.0.0.1:${port}/`),
);
