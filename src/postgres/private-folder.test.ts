import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { byRoot, isRoot } from '../../test/run/by-root.ts';
import { closeToOthers, DATA_FOLDER } from './private-folder.ts';

function newFolder(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, mode);
  return folder;
}

/** Sets the mode explicitly, so that the umask does not matter. */
function create(path: string, mode: number, kind: 'file' | 'folder' = 'file'): string {
  if (kind === 'folder') mkdirSync(path);
  else writeFileSync(path, 'x');
  chmodSync(path, mode);
  return path;
}

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

function close(folder: string, changeMode?: (path: string, mode: number) => void) {
  const lines: { message: string; folder: string; count: number; changed: object[] }[] = [];
  const log = {
    warn: (data: object, message: string) => void lines.push({ message, ...data } as (typeof lines)[0]),
  };
  closeToOthers(folder, { ...DATA_FOLDER, log, ...(changeMode && { changeMode }) });
  return lines;
}

test('an open folder is closed with its whole content, and one log line lists the changes', () => {
  const folder = newFolder(0o755);
  const blobs = create(join(folder, 'blobs'), 0o755, 'folder');
  const deep = create(join(blobs, 'run'), 0o775, 'folder');
  const files = [create(join(folder, 'master.key'), 0o666), create(join(deep, 'shot,blob'), 0o644)];
  const [line, ...more] = close(folder);
  expect([folder, blobs, deep].map(modeOf)).toEqual(['700', '700', '700']);
  expect(files.map(modeOf)).toEqual(['600', '600']);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    message: 'The data folder was open to other users of the machine and has been closed to them',
    folder,
    count: 5,
  });
  expect(line!.changed).toContainEqual({ path: files[0], from: '0666', to: '0600' });
  expect(close(folder)).toEqual([]);
});

test('direct content of a closed folder is closed as well, and deeper content only if its folder is open', () => {
  const folder = newFolder(0o700);
  const open = create(join(folder, 'open'), 0o755, 'folder');
  const closed = create(join(folder, 'closed'), 0o700, 'folder');
  const within = [create(join(open, 'file'), 0o644), create(join(closed, 'file'), 0o644)];
  close(folder);
  expect(modeOf(open)).toBe('700');
  expect(within.map(modeOf)).toEqual(['600', '644']);
});

test('links to libraries stay readable for others, but not writable; a symlink is not followed', () => {
  const folder = newFolder(0o700);
  const outside = create(join(newFolder(0o700), 'outside'), 0o644);
  const libraries = create(join(folder, 'postgres-lib'), 0o777, 'folder');
  symlinkSync(outside, join(folder, 'link'));
  close(folder);
  expect([modeOf(libraries), modeOf(outside)]).toEqual(['755', '644']);
});

test('a folder that cannot be closed is refused, with its mode and what to do', () => {
  const folder = newFolder(0o755);
  const denied = Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
  const refused = () =>
    close(folder, () => {
      throw denied;
    });
  expect(refused).toThrow(
    `The data folder cannot be closed to other users of the machine: ${folder} has the mode 0755 (EPERM: operation not permitted).`,
  );
  expect(refused).toThrow(`chmod -R u+rwX,go= ${folder}`);
});

test('a file system that ignores mode changes is refused', () => {
  expect(() => close(newFolder(0o755), () => {})).toThrow('the file system keeps the mode as it is');
});

test('a folder that does not exist yet is accepted', () => {
  expect(close(join(newFolder(0o700), 'none'))).toEqual([]);
});

const SERVICE = 12_345;
/** Calls a function as an ordinary user. */
function asService<T>(work: () => T): T {
  vi.spyOn(process, 'getuid').mockReturnValue(SERVICE);
  vi.spyOn(process, 'getgroups').mockReturnValue([SERVICE]);
  process.setegid!(SERVICE);
  process.seteuid!(SERVICE);
  try {
    return work();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
    vi.restoreAllMocks();
  }
}

test.runIf(isRoot)(byRoot('content of another user, such as lost+found, is left alone'), () => {
  const folder = newFolder(0o755);
  const own = create(join(folder, 'blobs'), 0o755, 'folder');
  chownSync(folder, SERVICE, SERVICE);
  chownSync(own, SERVICE, SERVICE);
  const closed = create(join(folder, 'lost+found'), 0o700, 'folder');
  const shared = create(join(folder, 'shared'), 0o2770, 'folder');
  chownSync(shared, 0, SERVICE);
  chmodSync(shared, 0o2770);
  const [line] = asService(() => close(folder));
  expect([folder, own, closed, shared].map(modeOf)).toEqual(['700', '700', '700', '2770']);
  expect(line).toMatchObject({ count: 2 });
  expect(asService(() => close(folder))).toEqual([]);
});

test.runIf(isRoot)(
  byRoot('a folder of root with group access keeps it, and so does lost+found in it'),
  () => {
    const folder = newFolder(0o700);
    for (const path of [folder, create(join(folder, 'lost+found'), 0o700, 'folder')]) {
      chownSync(path, 0, SERVICE);
      chmodSync(path, 0o2770);
    }
    expect(asService(() => close(folder))).toEqual([]);
  },
);

test.runIf(isRoot).each(['2775', '2777'])(
  byRoot('a folder of root with the mode %s is refused, with what to do'),
  (mode) => {
    const folder = newFolder(0o700);
    chownSync(folder, 0, SERVICE);
    chmodSync(folder, Number.parseInt(mode, 8));
    expect(() => asService(() => close(folder))).toThrow(
      `(EPERM: operation not permitted, fchmod). It belongs to user 0, and Redpen runs as user ${SERVICE}. ` +
        `Set REDPEN_DATA_DIR to a folder in it that Redpen makes itself, such as ${join(folder, 'redpen')}, and move there what Redpen keeps in ${folder}; ` +
        `or, as root, let Redpen own it: chown ${SERVICE} ${folder}.`,
    );
  },
);

test.runIf(isRoot)(byRoot('the database of another user is refused, with what to do'), () => {
  const folder = newFolder(0o700);
  chownSync(folder, SERVICE, SERVICE);
  const database = create(join(folder, 'postgres'), 0o755, 'folder');
  expect(() => asService(() => close(folder))).toThrow(
    `As root, let Redpen own it: chown -R ${SERVICE} ${database}.`,
  );
});

test.runIf(isRoot)(byRoot('a folder that cannot be listed is refused with the reason'), () => {
  const folder = newFolder(0o755);
  const own = create(join(folder, 'blobs'), 0o300, 'folder');
  chownSync(folder, SERVICE, SERVICE);
  chownSync(own, SERVICE, SERVICE);
  expect(() => asService(() => close(folder))).toThrow(
    `The data folder cannot be closed to other users of the machine: ${own} has the mode 0300 (EACCES`,
  );
});
