import type { PromptPart } from '../../outside/models/models.ts';

/** What a gather strategy collected for a page. A failed one has an error and no data. */
export interface Gathered {
  name: string;
  data?: unknown;
  error?: string;
  /** The data, or the error, as a model reads it. */
  parts: PromptPart[];
}
