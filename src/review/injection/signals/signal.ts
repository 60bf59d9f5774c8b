/** The aim of a prompt injection. */
export type InjectionKind =
  | 'override' // to drop its instructions, or to follow others
  | 'role' // to take another role; or the passage speaks as the system
  | 'suppress' // to keep findings back, or to answer what the page wants
  | 'exfiltrate' // to give away instructions, keys or data, or to send something somewhere
  | 'tool'; // to call a tool

/** A phrase that prompt injections use. Most phrases alone are ordinary language; several together are not. */
export interface Signal {
  /** Signals of one name count once in a group. */
  name: string;
  kind: InjectionKind;
  /** From 1 (people write such things to people, too) to 3 (written for machines only). */
  weight: 1 | 2 | 3;
  /** Matches text as `fold` leaves it: lower case, without accents. */
  pattern: RegExp;
}

/** Makes a signal. A blank in the pattern matches any white space, so that a line break hides nothing. */
export const signal = (
  name: string,
  kind: InjectionKind,
  weight: Signal['weight'],
  pattern: string,
): Signal => ({
  name,
  kind,
  weight,
  pattern: new RegExp(
    pattern.replace(/\[(?:\\.|[^\]\\])*\]| /g, (one) =>
      one === ' ' ? '(?:\\s{1,6})' : one.replaceAll(' ', '\\s'),
    ),
    'g',
  ),
});

/** Words between two others, within one sentence and one line. */
export const gapInLine = (length: number): string => `[^.!?。！？\\n]{0,${length}}?`;
