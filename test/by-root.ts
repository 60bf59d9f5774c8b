/** True if these tests may give files and processes to other users. */
export const isRoot = process.getuid?.() === 0;

/** The name of a test for root; where it is skipped, with the reason. */
export const byRoot = (name: string): string =>
  isRoot ? name : `${name} (skipped: only root may give files and processes to other users)`;
