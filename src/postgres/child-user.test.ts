import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { byRoot, isRoot } from '../../test/run/by-root.ts';
import { findBinaries } from './binaries.ts';
import { chooseChildUser } from './child-user.ts';
import { closeToOthers, DATA_FOLDER } from './private-folder.ts';

test.runIf(isRoot)(
  byRoot(
    'without setpriv, the database user gets group access to a closed folder of root, and closing it again keeps that',
  ),
  () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'redpen-child-'));
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(dataDir, { recursive: true });
    });
    chmodSync(dataDir, 0o700);
    const nobody = { uid: 65534, gid: 65534 };
    const chosen = chooseChildUser(dataDir, findBinaries(join(dataDir, 'postgres-lib')), [dataDir]);
    expect(chosen).toEqual({ owner: nobody, spawnOptions: nobody, prefix: [] });
    const ownership = () => {
      const { uid, gid, mode } = statSync(dataDir);
      return [uid, gid, (mode & 0o777).toString(8)];
    };
    expect(ownership()).toEqual([0, 65534, '710']);
    const lines: string[] = [];
    closeToOthers(dataDir, { ...DATA_FOLDER, log: { warn: (_, message) => void lines.push(message) } });
    expect([ownership(), lines]).toEqual([[0, 65534, '710'], []]);
  },
);
