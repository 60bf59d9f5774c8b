/** True if a version such as `0.2.0` comes after another. */
export function isLater(version: string, other: string): boolean {
  const [left, right] = [version, other].map((text) => text.split('.').map(Number));
  const index = left!.findIndex((part, place) => part !== right![place]);
  return index >= 0 && left![index]! > right![index]!;
}

/**
 * The changelog with its unreleased changes under a version and a date (`2026-11-27`), and an empty section for those to
 * come; or a sentence that says why not.
 */
export function dateChanges(
  changelog: string,
  version: string,
  date: string,
): { text: string } | { problem: string } {
  const heading = '## [Unreleased]\n';
  const start = changelog.indexOf(heading);
  if (start < 0) return { problem: 'CHANGELOG.md has no section [Unreleased].' };
  if (changelog.includes(`## [${version}]`))
    return { problem: `CHANGELOG.md has a section [${version}] already.` };
  const rest = changelog.slice(start + heading.length);
  const end = /^## \[/m.exec(rest)?.index ?? rest.length;
  if (!/^- /m.test(rest.slice(0, end))) return { problem: 'CHANGELOG.md has no changes under [Unreleased].' };
  return { text: `${changelog.slice(0, start)}${heading}\n## [${version}] - ${date}\n${rest}` };
}
