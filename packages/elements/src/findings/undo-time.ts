/**
 * How long a decision is shown without being sent, in elements and console. A decision on a suggestion is final, so that
 * only one that the service does not have can be undone.
 */
export const UNDO_MS = 8_000;
