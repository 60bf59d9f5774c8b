import { type Change, listShort } from './change.ts';

/** Size, time and place of each file, by its path from the folder with `/` as separator. */
export type Snapshot = ReadonlyMap<string, string>;

export interface ChangedFiles {
  edited: string[];
  added: string[];
  removed: string[];
}

export function compareSnapshots(before: Snapshot, after: Snapshot): ChangedFiles {
  const names = [...after.keys()];
  return {
    edited: names.filter((name) => before.has(name) && before.get(name) !== after.get(name)).sort(),
    added: names.filter((name) => !before.has(name)).sort(),
    removed: [...before.keys()].filter((name) => !after.has(name)).sort(),
  };
}

const isPage = (file: string): boolean => /\.html?$/i.test(file);

/** The address of a file, as the server of the folder has it. */
function addressOf(file: string, origin: string): string {
  const path = file.replace(/(^|\/)index\.html$/, '$1');
  return new URL(path.split('/').map(encodeURIComponent).join('/'), origin).href;
}

/** The file behind an address; undefined for addresses of other sites. */
function fileOf(address: string, origin: string): string | undefined {
  const url = URL.parse(address);
  if (url?.origin !== new URL(origin).origin) return undefined;
  try {
    const path = decodeURIComponent(url.pathname).slice(1);
    return path === '' || path.endsWith('/') ? `${path}index.html` : path;
  } catch {
    return undefined;
  }
}

/**
 * The pages that a change of files concerns. A page may show any style, script and picture, and may link to any file
 * that appears or disappears, so that all pages change with them.
 */
export function pagesOfFiles(files: ChangedFiles, known: readonly string[], origin: string): Change {
  const { edited, added, removed } = files;
  const byFile = Map.groupBy(known, (page) => fileOf(page, origin) ?? '');
  const pagesOf = (file: string) => byFile.get(file) ?? [addressOf(file, origin)];
  return {
    pages: [...new Set([...edited, ...added].filter(isPage).flatMap(pagesOf))],
    isWhole: added.length > 0 || removed.length > 0 || edited.some((file) => !isPage(file)),
    gone: removed.filter(isPage).flatMap((file) => byFile.get(file) ?? []),
    what: [
      ...(edited.length > 0 ? [`changed: ${listShort(edited)}`] : []),
      ...(added.length > 0 ? [`added: ${listShort(added)}`] : []),
      ...(removed.length > 0 ? [`removed: ${listShort(removed)}`] : []),
    ].join('; '),
  };
}
