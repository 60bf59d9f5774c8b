import type { InjectionKind } from './signals/signal.ts';

/** A prompt injection: a passage of untrusted text that gives orders to the model that reads it. */
export interface Injection {
  kind: InjectionKind;
  /** The gather strategy or tool that the text came from. */
  where: string;
  /** Verbatim, shortened to fit a finding. */
  quote: string;
  /** The passage as a model reads it, without obfuscation. */
  reading: string;
  /** The way it is hidden from human readers: `in a comment`, `encoded as base64`. Absent if they see it. */
  hiding?: string;
  /** 0 to 100. */
  confidence: number;
}
