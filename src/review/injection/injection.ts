/** What a text asks of whoever reads it by machine. */
export type InjectionKind =
  | 'override' // to drop its instructions, or to follow others
  | 'role' // to be somebody else, or it speaks as the system
  | 'suppress' // to keep findings back, or to answer what the page wants
  | 'exfiltrate' // to give away instructions, keys or data, or to send something somewhere
  | 'tool'; // to call something

/** A passage that addresses the machine that reads it. */
export interface Injection {
  kind: InjectionKind;
  /** What it was found in, as it was given: a gather strategy, or the name of a tool. */
  where: string;
  /** As the text has it, cut to what fits a finding. */
  quote: string;
  /** As it reads once what hides it is taken away. */
  reading: string;
  /** How it is kept from human readers: `in a comment`, `encoded as base64`. Left out where they see it. */
  hiding?: string;
  /** 0 to 100. */
  confidence: number;
}
