import { once } from 'node:events';
import type { ClientBase } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Table } from './tables.ts';

const LINE_END = 0x0a;

/** Names of the columns that are stored; the others follow from them. */
const storedColumns = ({ columns }: Table): string =>
  columns
    .filter((column) => !column.isGenerated)
    .map((column) => column.name)
    .join(', ');

/**
 * Reads rows in the text format of COPY, in parts of whole lines. A part has about `partBytes` bytes, or one row if that is
 * longer. `where` is a condition in SQL.
 */
export async function* readRows(
  client: ClientBase,
  table: Table,
  { where = 'true', partBytes }: { where?: string; partBytes: number },
): AsyncGenerator<Buffer> {
  const select = `select ${storedColumns(table)} from ${table.name} where ${where}`;
  const stream = client.query(copyTo(`copy (${select}) to stdout`));
  let waiting: Buffer[] = [];
  let size = 0;
  let wanted = partBytes;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < wanted) continue;
    const all = Buffer.concat(waiting);
    const end = all.lastIndexOf(LINE_END) + 1;
    if (end > 0) yield all.subarray(0, end);
    waiting = [all.subarray(end)];
    size = all.length - end;
    wanted = size + partBytes;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** Writes rows in the text format of COPY. */
export async function writeRows(
  client: ClientBase,
  table: Table,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table.name} (${storedColumns(table)}) from stdin`));
  // An error that arrives while no write waits for it would otherwise end the process.
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  failed.catch(() => {});
  const finished = once(stream, 'finish');
  finished.catch(() => {});
  for await (const part of parts) {
    if (!stream.write(part)) await Promise.race([once(stream, 'drain'), failed]);
  }
  stream.end();
  await Promise.race([finished, failed]);
}
