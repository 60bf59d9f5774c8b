import { readFileSync } from 'node:fs';

/** Scripts that the fonts of a system may lack. */
export type FontNeed = 'letters' | 'cjk' | 'emoji';

interface System {
  name: string;
  install: string;
  packages: Record<FontNeed, string>;
}

/** Packages by the ID of os-release. */
const SYSTEMS: Readonly<Record<string, System>> = {
  debian: {
    name: 'Debian, Ubuntu',
    install: 'apt-get install',
    packages: { letters: 'fonts-dejavu-core', cjk: 'fonts-noto-cjk', emoji: 'fonts-noto-color-emoji' },
  },
  fedora: {
    name: 'Fedora',
    install: 'dnf install',
    packages: {
      letters: 'dejavu-sans-fonts',
      cjk: 'google-noto-sans-cjk-fonts',
      emoji: 'google-noto-color-emoji-fonts',
    },
  },
  alpine: {
    name: 'Alpine',
    install: 'apk add',
    packages: { letters: 'font-dejavu', cjk: 'font-noto-cjk', emoji: 'font-noto-emoji' },
  },
  arch: {
    name: 'Arch',
    install: 'pacman -S',
    packages: { letters: 'ttf-dejavu', cjk: 'noto-fonts-cjk', emoji: 'noto-fonts-emoji' },
  },
};

/** Sentence with the command that installs fonts on the system of an os-release file; for other systems, it names the guide. */
export function fontAdvice(needs: readonly FontNeed[], osRelease: string = readOsRelease()): string {
  const system = systemIn(osRelease);
  return system === undefined
    ? 'Install fonts with them; docs/running.md#fonts names packages.'
    : `Install fonts: ${system.install} ${needs.map((need) => system.packages[need]).join(' ')} (other systems: docs/running.md#fonts).`;
}

/** ID_LIKE lists the systems that a system derives from, the closest first. */
function systemIn(osRelease: string): System | undefined {
  const wordsOf = (name: string) =>
    new RegExp(`^${name}=["']?([^"'\n]*)`, 'm').exec(osRelease)?.[1]?.split(/\s+/) ?? [];
  return [...wordsOf('ID'), ...wordsOf('ID_LIKE')].flatMap((id) => SYSTEMS[id] ?? [])[0];
}

function readOsRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    // macOS and Windows have no os-release file.
    return '';
  }
}

/** The table for docs/running.md. */
export const FONT_TABLE = [
  '| System | Latin letters | Chinese, Japanese, Korean | Emoji |',
  '|---|---|---|---|',
  ...Object.values(SYSTEMS).map(
    ({ name, install, packages: { letters, cjk, emoji } }) =>
      `| ${name} (\`${install}\`) | \`${letters}\` | \`${cjk}\` | \`${emoji}\` |`,
  ),
].join('\n');
