import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeToOthers, DATA_FOLDER } from './private-folder.ts';

function newFolder(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, mode);
  return folder;
}

/** Of this mode, whatever the umask is. */
function put(path: string, mode: number, kind: 'file' | 'folder' = 'file'): string {
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

test('a folder that stood open is closed with all that is in it, and one line of the log says what changed', () => {
  const folder = newFolder(0o755);
  const blobs = put(join(folder, 'blobs'), 0o755, 'folder');
  const deep = put(join(blobs, 'run'), 0o775, 'folder');
  const files = [put(join(folder, 'master.key'), 0o666), put(join(deep, 'shot,blob'), 0o644)];
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

test('what lies directly in a closed folder is closed as well, and deeper only where that stood open', () => {
  const folder = newFolder(0o700);
  const open = put(join(folder, 'open'), 0o755, 'folder');
  const closed = put(join(folder, 'closed'), 0o700, 'folder');
  const within = [put(join(open, 'file'), 0o644), put(join(closed, 'file'), 0o644)];
  close(folder);
  expect(modeOf(open)).toBe('700');
  expect(within.map(modeOf)).toEqual(['600', '644']);
});

test('links to libraries stay readable and nobody else may change them; a symlink is not followed', () => {
  const folder = newFolder(0o700);
  const outside = put(join(newFolder(0o700), 'outside'), 0o644);
  const libraries = put(join(folder, 'postgres-lib'), 0o777, 'folder');
  symlinkSync(outside, join(folder, 'link'));
  close(folder);
  expect([modeOf(libraries), modeOf(outside)]).toEqual(['755', '644']);
});

test('a folder that cannot be closed is refused, with its owner and what to do', () => {
  const folder = newFolder(0o755);
  const denied = Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
  const refused = () =>
    close(folder, () => {
      throw denied;
    });
  expect(refused).toThrow(
    `The data folder is open to other users of the machine, and that cannot be changed: ${folder} has the mode 0755 (EPERM: operation not permitted).`,
  );
  expect(refused).toThrow(`chmod -R go= ${folder}`);
});

test('a file system that takes a mode and keeps its own is refused', () => {
  expect(() => close(newFolder(0o755), () => {})).toThrow('the file system keeps the mode as it is');
});

test('a folder that is not there yet is none to close', () => {
  expect(close(join(newFolder(0o700), 'none'))).toEqual([]);
});
