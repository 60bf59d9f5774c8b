import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { connectionTests, serverTests } from '../vitest.compat.config.ts';
import { FLOORS, FLOORS_WITHIN, ROOF } from './house/floors.ts';

const root = resolve(import.meta.dirname, '..');
const MAX_LINES = 400;
const MAX_FILES = 25;

/** Files that start other programs pass on PATH and folders of the machine, which are not settings. */
const STARTS_PROGRAMS = [
  'src/outside/browser/find-chromium.ts',
  'src/outside/browser/launch-browser.ts',
  'src/outside/browser/private-cache.ts',
  'src/postgres/child-user.ts',
  'src/roles/commands/database-commands.ts',
];
/** They call the service as another program does. */
const CLIENTS_OF_ITS_OWN = ['src/mcp/', 'src/roles/commands/'];

const BANNED_NAMES = /(^|[/.-])(utils?|helpers?|common|shared|misc|base|managers?|types|constants)(?=[/.-])/;

const everyFileUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|css)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/(?:^|\/)(?:node_modules|dist)\//.test(file))
    .sort();

const filesUnder = (folder: string): string[] =>
  everyFileUnder(folder).filter((file) => /\.tsx?$/.test(file));

/** Written by `npm run docs`. */
const GENERATED = ['operations.ts', 'names.ts', 'webhook-messages.ts'].map(
  (file) => `packages/client/src/${file}`,
);

/** The packages; the lower ones know nothing of those that follow. */
const PACKAGES = ['client', 'elements', 'console'];
/** Rooms of the source that packages which are bundled may import; of `shapes` only types. */
const BUNDLED_ROOMS = ['lib', 'report', 'shapes'];

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.includes('/fixtures/');

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Relative imports of a file, including dynamic and type imports, as paths from the root. */
const importsOf = (file: string, text: string): string[] => {
  const specifiers = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"](\.[^'"]*)['"]|\bimport\s*\(?\s*['"](\.[^'"]*)['"]/g,
  );
  return [...specifiers].map(([, from, bare]) =>
    relative(root, resolve(root, dirname(file), from ?? bare ?? '')),
  );
};

const sources = filesUnder('src').filter((file) => !isTest(file));
const packaged = filesUnder('packages').filter((file) => !isTest(file));
/** Files that are part of a package, and not the programs beside them. */
const ofPackages = packaged.filter((file) => PACKAGES.includes(file.split('/')[1]!));
const graph = new Map(sources.map((file) => [file, importsOf(file, textOf(file))]));

const roomOf = (file: string) => file.split('/')[1] ?? '';
const floorOf = (room: string) =>
  ROOF.includes(room) ? FLOORS.length : FLOORS.findIndex((rooms) => rooms.includes(room));

/** The folder of a file within its room: `.` for the room itself. */
const folderOf = (file: string) => {
  const parts = file.split('/').slice(2, -1);
  return parts[0] ?? '.';
};

/** Why a file may not import another of its room, or undefined when it may. */
const objectionWithin = (room: string, from: string, to: string): string | undefined => {
  const order = FLOORS_WITHIN[room];
  const [a, b] = [folderOf(from), folderOf(to)];
  if (!order || a === b) return undefined;
  const [fromFloor, toFloor] = [a, b].map((folder) => order.findIndex((folders) => folders.includes(folder)));
  if (fromFloor! < 0 || toFloor! < 0)
    return `is in, or imports from, a folder that FLOORS_WITHIN.${room} does not list`;
  if (toFloor! < fromFloor!) return undefined;
  return toFloor! > fromFloor! ? `reaches upward within ${room}` : `reaches to a neighbor within ${room}`;
};

/** Why a file may not import another, or undefined when it may. */
const objection = (from: string, to: string): string | undefined => {
  if (to.startsWith('packages/client/src/') && CLIENTS_OF_ITS_OWN.some((room) => from.startsWith(room)))
    return undefined;
  if (!to.startsWith('src/')) return 'leaves src';
  const [a, b] = [roomOf(from), roomOf(to)];
  if (b === 'config.ts') return ROOF.includes(a) ? undefined : 'reads the configuration itself';
  if (a === b) return objectionWithin(a, from, to);
  const [fromFloor, toFloor] = [floorOf(a), floorOf(b)];
  if (toFloor < fromFloor) return undefined;
  if (toFloor > fromFloor) return 'reaches upward';
  return fromFloor === FLOORS.length ? undefined : 'reaches to a neighbor';
};

/** One cycle of a graph as a path that ends where it began, or undefined. */
const findCycle = (edges: Map<string, Iterable<string>>): string[] | undefined => {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | undefined => {
    const at = path.indexOf(node);
    if (at >= 0) return [...path.slice(at), node];
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
};

test('imports are found however they are written', () => {
  const text = [
    "import { a } from './a.ts';",
    "import type { b } from '../lib/b.ts';",
    'import {\n  c,\n  d,\n} from "./c.ts";',
    "import './e.ts';",
    "export { f } from './f.ts';",
    "const g = await import('./g.ts');",
    "type H = import('./h.ts').H;",
    "import outside from 'fastify';",
  ].join('\n');
  expect(importsOf('src/db/x.ts', text).map((file) => relative('src/db', file))).toEqual([
    'a.ts',
    '../lib/b.ts',
    'c.ts',
    'e.ts',
    'f.ts',
    'g.ts',
    'h.ts',
  ]);
});

test('the rules reject violations', () => {
  expect(objection('src/lib/ids.ts', 'src/shapes/id-fields.ts')).toBe('reaches upward');
  expect(objection('src/store/users/users.ts', 'src/outside/outside.ts')).toBe('reaches to a neighbor');
  expect(objection('src/api/users/get.ts', 'src/config.ts')).toBe('reads the configuration itself');
  expect(objection('src/api/users/get.ts', 'test/service/harness.ts')).toBe('leaves src');
  expect(objection('src/api/users/get.ts', 'src/store/users/users.ts')).toBeUndefined();
  expect(objection('src/boot.ts', 'src/roles/serve.ts')).toBeUndefined();
  expect(
    findCycle(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toEqual(['b', 'c', 'b']);
});

test('every file is in a room of FLOORS or ROOF', () => {
  const unknown = sources.filter((file) => floorOf(roomOf(file)) < 0);
  expect(unknown).toEqual([]);
});

test('no file imports upward or from a neighbor', () => {
  const wrong = [...graph].flatMap(([from, targets]) =>
    targets.flatMap((to) => {
      const why = objection(from, to);
      return why ? [`${from} ${why}: ${to}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

test('no files import each other in a cycle', () => {
  expect(findCycle(graph)).toBeUndefined();
});

test('no folders import each other in a cycle', () => {
  // The files directly in src are in no room, so each of them counts as a folder.
  const nodeOf = (file: string) => (dirname(file) === 'src' ? file : dirname(file));
  const folders = new Map<string, Set<string>>();
  for (const [from, targets] of graph) {
    const others = targets.map(nodeOf).filter((folder) => folder !== nodeOf(from));
    folders.set(nodeOf(from), new Set([...(folders.get(nodeOf(from)) ?? []), ...others]));
  }
  expect(findCycle(folders)).toBeUndefined();
});

test(`no folder has more than ${MAX_FILES} files besides tests`, () => {
  const sizes = Map.groupBy([...sources, ...packaged], dirname);
  const full = [...sizes]
    .filter(([, files]) => files.length > MAX_FILES)
    .map(([folder, { length }]) => ({ folder, length }));
  expect(full).toEqual([]);
});

test('the order within a room lists each of its folders once', () => {
  for (const [room, order] of Object.entries(FLOORS_WITHIN)) {
    const folders = new Set(sources.filter((file) => roomOf(file) === room).map(folderOf));
    expect(order.flat().sort(), room).toEqual([...folders].sort());
  }
});

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = ['src', 'test', 'examples', 'bench', 'compat', 'packages', 'integrations']
    .flatMap(everyFileUnder)
    .filter((file) => !GENERATED.includes(file) && !file.includes('/site/'))
    .map((file) => ({ file, lines: textOf(file).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});

test('the schema of the rows of a statement is a constant, since a new one is compiled at each call', () => {
  const inline = /\brows?Of\(\s*\w+,\s*z\s*\.|\bz\s*\.array\([^()]*\)\s*\.parse\(rows\)/;
  expect(sources.filter((file) => inline.test(textOf(file)))).toEqual([]);
});

test('only config.ts reads the environment, which the programs pass to it', () => {
  const readers = sources.filter((file) => {
    if (STARTS_PROGRAMS.includes(file)) return false;
    const isEntryPoint = ['src/run-service.ts', 'src/run-command.ts'].includes(file);
    const text = isEntryPoint
      ? textOf(file).replaceAll(
          /\b(?:readConfig|listWarnings)\(process\.env\)|\benvironment: process\.env\b/g,
          '',
        )
      : textOf(file);
    return /\bprocess\s*\.\s*env\b(?!\.\w+ = )|\bimport\.meta\.env\b/.test(text);
  });
  expect(readers).toEqual([]);
});

/** Imports of modules by their names, such as `react` or `node:fs`. */
const namesImported = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([@\w][\w@/.:-]*)['"]|\bimport\s*\(?\s*['"]([@\w][\w@/.:-]*)['"]/g,
    ),
  ].map(([, from, bare]) => from ?? bare ?? '');

/** The text without imports that the compiler removes. */
const withoutTypes = (text: string): string => text.replaceAll(/\b(?:im|ex)port type\b[^;]*;/g, '');

/** Why a file of a package may not import a file, or undefined when it may. */
const objectionOfPackage = (from: string, to: string, isOfTypes: boolean): string | undefined => {
  const [, own] = from.split('/');
  if (to.startsWith(`packages/${own}/`)) return undefined;
  if (to.startsWith('packages/')) return 'imports another package by its path';
  if (own === 'client' || !to.startsWith('src/')) return 'leaves its package';
  const room = roomOf(to);
  if (!BUNDLED_ROOMS.includes(room)) return `imports src/${room}`;
  return room === 'shapes' && !isOfTypes ? 'imports more than types of src/shapes' : undefined;
};

/** Why a file of a package may not import a module by its name, or undefined when it may. */
const objectionToName = (from: string, name: string, declared: readonly string[]): string | undefined => {
  const own = from.split('/')[1]!;
  const module = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
  if (name.startsWith('node:')) return `imports ${name}`;
  const other = /^@redpen\/(.+)$/.exec(module)?.[1];
  if (other !== undefined && PACKAGES.indexOf(other) >= PACKAGES.indexOf(own))
    return `imports ${module}, which is not below it`;
  return declared.includes(module) ? undefined : `imports ${module}, which its package.json does not list`;
};

const declaredBy = (name: string): string[] => {
  const { dependencies, peerDependencies } = JSON.parse(textOf(`packages/${name}/package.json`)) as Record<
    string,
    object | undefined
  >;
  return Object.keys({ ...dependencies, ...peerDependencies });
};

test('a package imports only its own files, packages before it, and pure rooms of the source', () => {
  const declared = Object.fromEntries(PACKAGES.map((name) => [name, declaredBy(name)]));
  const wrong = ofPackages
    .filter((file) => file.split('/')[2] === 'src')
    .flatMap((file) => {
      const text = textOf(file);
      const values = new Set(importsOf(file, withoutTypes(text)));
      const reasons = [
        ...importsOf(file, text).map((to) => {
          const why = objectionOfPackage(file, to, !values.has(to));
          return why && `${why}: ${to}`;
        }),
        ...namesImported(text).map((name) => objectionToName(file, name, declared[file.split('/')[1]!]!)),
      ];
      return reasons.filter((why) => why !== undefined).map((why) => `${file} ${why}`);
    });
  expect(wrong).toEqual([]);
});

test('the rules of packages reject violations', () => {
  expect(objectionOfPackage('packages/client/src/a.ts', 'src/lib/ids.ts', false)).toBe('leaves its package');
  expect(objectionOfPackage('packages/console/src/a.tsx', 'src/lib/ids.ts', false)).toBeUndefined();
  expect(objectionOfPackage('packages/console/src/a.tsx', 'src/api/index.ts', true)).toBe('imports src/api');
  expect(objectionOfPackage('packages/console/src/a.tsx', 'src/shapes/scope.ts', true)).toBeUndefined();
  expect(objectionOfPackage('packages/console/src/a.tsx', 'src/shapes/scope.ts', false)).toBe(
    'imports more than types of src/shapes',
  );
  expect(objectionOfPackage('packages/console/src/a.tsx', 'packages/elements/src/b.ts', false)).toBe(
    'imports another package by its path',
  );
  expect(
    objectionToName('packages/elements/src/a.ts', '@redpen/client/raw', ['@redpen/client']),
  ).toBeUndefined();
  expect(objectionToName('packages/client/src/a.ts', '@redpen/elements', ['@redpen/elements'])).toBe(
    'imports @redpen/elements, which is not below it',
  );
  expect(objectionToName('packages/elements/src/a.ts', 'react', ['lit'])).toBe(
    'imports react, which its package.json does not list',
  );
});

test('what packages import of the source imports nothing of Node', () => {
  const seen = new Set<string>();
  const visit = (file: string): string[] => {
    if (seen.has(file) || !file.startsWith('src/')) return [];
    seen.add(file);
    const text = withoutTypes(textOf(file));
    const wrong = namesImported(text).filter((name) => name.startsWith('node:'));
    return [...wrong.map((name) => `${file} imports ${name}`), ...importsOf(file, text).flatMap(visit)];
  };
  const roots = ofPackages.flatMap((file) => importsOf(file, withoutTypes(textOf(file))));
  expect(roots.flatMap(visit)).toEqual([]);
});

test('no files of packages import each other in a cycle', () => {
  // The names of types may refer to each other.
  const edges = packaged.map((file) => [file, importsOf(file, withoutTypes(textOf(file)))] as const);
  expect(findCycle(new Map(edges))).toBeUndefined();
});

test('the service imports no package of this repository', () => {
  expect(sources.filter((file) => /from '@redpen\//.test(textOf(file)))).toEqual([]);
});

test('no file or folder has a meaningless name', () => {
  const files = [...filesUnder('src'), ...filesUnder('test'), ...filesUnder('integrations'), ...packaged];
  expect(files.filter((file) => BANNED_NAMES.test(file))).toEqual([]);
});

test('index files are lists, exist only in folders with a list, and never export *', () => {
  const stars = sources.filter((file) => /^export \*/m.test(textOf(file)));
  expect(stars).toEqual([]);
  const indexes = sources.filter((file) => file.endsWith('/index.ts'));
  const allowed =
    /^src\/(api(\/.+)?|review\/(gather|services|execute|respond|agents\/builtin)|roles\/jobs)\/index\.ts$/;
  expect(indexes.filter((file) => !allowed.test(file))).toEqual([]);
});

test('file names are in kebab-case, those of endpoints as in their URL', () => {
  const files = [...filesUnder('src'), ...filesUnder('test'), ...filesUnder('integrations'), ...packaged];
  const invalid = files.filter((file) =>
    file.startsWith('src/api/')
      ? !/^[a-z0-9_./-]+$/.test(file)
      : !file.split('/').every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/.test(part)),
  );
  expect(invalid).toEqual([]);
});

test('every path in the list of tests that depend on the server names a file', () => {
  const paths = [...connectionTests, ...serverTests];
  expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
});
