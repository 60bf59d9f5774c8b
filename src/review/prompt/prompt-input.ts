import type { Fields } from '../../lib/json.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { Gathered } from '../core/gathered.ts';
import type { TextScreener } from '../core/text-screener.ts';

/** Input of a prompt about a page. */
export interface PromptInput {
  url: string;
  deviceType: DeviceType;
  /** The agent's instructions with their templates unfilled. */
  instructions: string;
  /** Values of templates; see `templateValues`. */
  values: Fields;
  gathered: readonly Gathered[];
}

/** Dependencies of `buildPrompt`. */
export interface PromptContext {
  screener: TextScreener;
  once<T>(key: string, make: () => T): T;
  log(line: { level: 'warn'; message: string; data?: Fields }): void;
}
