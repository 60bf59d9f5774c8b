import type { DeviceType } from '../../outside/outside.ts';
import type { Gathered } from '../core/gathered.ts';
import type { TextScreener } from '../core/text-screener.ts';

/** What a prompt is made of. */
export interface Material {
  url: string;
  deviceType: DeviceType;
  /** The agent's, with their variables still to be filled in. */
  instructions: string;
  /** What templates are filled from. */
  values: Record<string, unknown>;
  gathered: readonly Gathered[];
}

/** What the making of it is given. */
export interface PromptContext {
  screener: TextScreener;
  once<T>(key: string, make: () => T): T;
  log(line: { level: 'warn'; message: string; data?: Record<string, unknown> }): void;
}
