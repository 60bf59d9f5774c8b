/** Words between, within one sentence and one line. */
export const gapInLine = (length: number): string => `[^.!?。！？\\n]{0,${length}}?`;
