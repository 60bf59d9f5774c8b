import type { InjectionKind } from './signals/signal.ts';

/** A prompt injection: a passage of untrusted text that gives orders to the model that reads it. */
export interface Injection {
  kind: InjectionKind;
  /** The gather strategy or tool that the text came from. */
  where: string;
  /** As the text has it, cut to what fits a finding. */
  quote: string;
  /** The passage as a model reads it, once what hides it is removed. */
  reading: string;
  /** How it is hidden from human readers: `in a comment`, `encoded as base64`. Absent where they see it. */
  hiding?: string;
  /** 0 to 100. */
  confidence: number;
}
