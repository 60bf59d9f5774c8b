// Opens a folder of the earlier embedded database (PGlite) and speaks PostgreSQL's protocol over file descriptor 3,
// which belongs to the process that started this one, so that no other process can reach the data. Exits with its parent.
//
//   node read.mjs <folder of the database> <folder whose node_modules holds PGlite>
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, packages] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(packages, 'node_modules', name, 'dist', 'index.js')).href);

const parent = new Socket({ fd: 3 });
parent.pause();
const [{ PGlite }, { vector }] = await Promise.all([
  load('@electric-sql/pglite'),
  load('@electric-sql/pglite-pgvector'),
]);
const database = await PGlite.create({ dataDir: folder, extensions: { vector } });

const TERMINATE = 'X'.charCodeAt(0);
let received = Buffer.alloc(0);
let isStarted = false;

/** Removes the next complete message from `received` and returns it. Only the first one has no type byte before its length. */
function nextMessage() {
  const typeBytes = isStarted ? 1 : 0;
  if (received.length < typeBytes + 4) return undefined;
  const length = typeBytes + received.readInt32BE(typeBytes);
  if (received.length < length) return undefined;
  const message = received.subarray(0, length);
  received = received.subarray(length);
  isStarted = true;
  return message;
}

parent.on('error', () => process.exit(1));
for await (const chunk of parent) {
  received = Buffer.concat([received, chunk]);
  for (let message = nextMessage(); message !== undefined; message = nextMessage()) {
    if (message[0] === TERMINATE) {
      await database.close();
      process.exit(0);
    }
    // The bytes are in PGlite's memory, which the next message overwrites.
    await database.execProtocolRawStream(message, { onRawData: (bytes) => parent.write(Buffer.from(bytes)) });
    if (parent.writableNeedDrain) await new Promise((resolve) => parent.once('drain', resolve));
  }
}
// The parent has ended without a Terminate message, so its data is no longer needed.
process.exit(1);
