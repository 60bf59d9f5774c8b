/** True if the tests may change the owner of files and start processes as other users. */
export const isRoot = process.getuid?.() === 0;

/** The name of a test that needs root; without root it includes the reason for the skip. */
export const byRoot = (name: string): string =>
  isRoot ? name : `${name} (skipped: only root may give files and processes to other users)`;
