import { z } from 'zod';

/** The format that this version writes and reads. */
export const FORMAT = 1;

const column = z.object({ name: z.string(), type: z.string(), isGenerated: z.boolean() });
const sequence = z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() });
const partition = z.object({ name: z.string(), parent: z.string(), bound: z.string() });

/** The first entry: what the backup is of, and how its rows are read. */
export const backupHead = z.object({
  format: z.int(),
  /** Epoch milliseconds at which the snapshot was taken. */
  createdAt: z.int(),
  /** Version and commit of Redpen that wrote it. */
  version: z.string(),
  commit: z.string().nullable(),
  /** Version of PostgreSQL. */
  postgres: z.string(),
  /** Names of the migrations that had run, oldest first. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(column) })),
  partitions: z.array(partition),
  /** Ids of the master keys that its secrets are sealed with. */
  masterKeys: z.array(z.string()),
  hasFiles: z.boolean(),
  hasKey: z.boolean(),
});
export type BackupHead = z.output<typeof backupHead>;

/** The last entry: what was written, to be compared with what is restored. */
export const backupEnd = z.object({
  /** Rows of each table, and their digest; see `digest` of `db/copying/tables.ts`. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sum: z.string() })),
  sequences: z.array(sequence),
  files: z.object({ count: z.int(), bytes: z.int() }),
});
export type BackupEnd = z.output<typeof backupEnd>;

/** The content of a backup, without its rows and files. */
export interface BackupSummary {
  head: BackupHead;
  end: BackupEnd;
}
