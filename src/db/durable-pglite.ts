import { fsyncSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { vector } from '@electric-sql/pglite-pgvector';

interface Stream {
  nfd: number;
}

/**
 * The file system of the embedded database with a real fsync. As shipped, its fsync does nothing, so an
 * acknowledged commit would not survive a power cut. Goes when PGlite syncs by itself: the test that
 * counts syncs a commit passes without this class then.
 */
class SyncingFs extends NodeFS {
  readonly #onSync: () => void;

  constructor(dataDir: string, onSync: () => void) {
    super(dataDir);
    this.#onSync = onSync;
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    type Module = { FS: { filesystems: { NODEFS: { stream_ops: { fsync?: (stream: Stream) => number } } } } };
    const addFsync = (module: unknown) => {
      (module as Module).FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
        fsyncSync(stream.nfd);
        this.#onSync();
        return 0;
      };
    };
    const preRun = emscriptenOpts.preRun;
    const before = Array.isArray(preRun) ? preRun : preRun ? [preRun] : [];
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...before, addFsync] as typeof before } };
  }
}

// PGlite's own start parameters less `-F`, which switches fsync off, and with fsync as the way to sync:
// fdatasync does nothing in its build.
const startParams = () => [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
];

// Values as the `pg` driver is told to give them, so that both databases answer alike.
const parsers = {
  [types.INT8]: (text: string) => Number(text),
  [types.NUMERIC]: (text: string) => Number(text),
  [types.BYTEA]: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
};
// Its own goes byte by byte, which takes seconds for some megabytes.
const serializers = {
  [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`,
};

const extensions = { vector };

/** Opens the embedded database in a folder, or in memory where none is given. The folder must be locked before. */
export async function openPglite(
  dataDir: string | undefined,
  onSync: () => void = () => {},
): Promise<PGlite> {
  return dataDir === undefined
    ? await PGlite.create({ parsers, serializers, extensions })
    : await PGlite.create({
        fs: new SyncingFs(join(dataDir, 'pg'), onSync),
        startParams: startParams(),
        parsers,
        serializers,
        extensions,
      });
}
