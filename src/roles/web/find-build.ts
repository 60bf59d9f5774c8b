import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hashBuildInputs } from './build-inputs.ts';
import { BuildFailed } from './run-build.ts';

/** Builds that are kept for other commits of a checkout, besides the one in use. */
const KEPT = 3;
/** Far longer than a build takes. */
const REMAINS_AGE_MS = 3_600_000;
/** Name of a build: 32 hexadecimal digits. */
const IS_BUILD = /^[0-9a-f]{32}$/;

/** A build appears under its name when it is whole. */
export const isBuilt = (folder: string): boolean => existsSync(join(folder, 'console/index.html'));

/**
 * The folder of the build that belongs to these sources: one in `packages/dist`, which releases and the image contain, or
 * in the cache, where it may be missing.
 */
export async function findBuild(
  root: string,
  cache: string,
): Promise<{ folder: string; isMissing: boolean }> {
  const delivered = join(root, 'packages/dist');
  if (!existsSync(join(root, 'packages/build.ts'))) {
    if (isBuilt(delivered)) return { folder: delivered, isMissing: false };
    throw new BuildFailed('This installation contains neither a built console nor its sources.');
  }
  const inputs = await hashBuildInputs(root);
  const folder = join(cache, inputs);
  if (isBuilt(folder)) return { folder, isMissing: false };
  if (isBuilt(delivered) && (await inputsOf(delivered)) === inputs)
    return { folder: delivered, isMissing: false };
  return { folder, isMissing: true };
}

/** The hash of what a build was made from. */
const inputsOf = async (folder: string): Promise<string> =>
  (await readFile(join(folder, 'inputs'), 'utf8').catch(() => '')).trim();

/** Removes builds of earlier sources, except the latest, and what killed builds have left. */
export async function removeOldBuilds(cache: string, current: string): Promise<void> {
  const others = (await readdir(cache)).filter((name) => name !== basename(current));
  const dated = await Promise.all(
    others.map(async (name) => ({ name, at: (await stat(join(cache, name))).mtimeMs })),
  );
  const builds = dated.filter(({ name }) => IS_BUILD.test(name)).sort((a, b) => b.at - a.at);
  const remains = dated.filter(({ name, at }) => !IS_BUILD.test(name) && Date.now() - at > REMAINS_AGE_MS);
  for (const { name } of [...builds.slice(KEPT), ...remains])
    await rm(join(cache, name), { recursive: true, force: true });
}
