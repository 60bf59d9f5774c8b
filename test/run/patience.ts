/** The end of every wait of a test. It only ends tests that hang, so it is far longer than anything takes on a busy machine. */
export const PATIENCE_MS = 300_000;
