import type { PromptPart } from '../../outside/models/models.ts';

/** Result of a gather strategy for a page. A failed strategy has an error and no data. */
export interface Gathered {
  name: string;
  data?: unknown;
  error?: string;
  /** The data, or the error, as a model reads it. */
  parts: PromptPart[];
}
