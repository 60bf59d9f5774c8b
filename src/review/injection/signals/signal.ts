import type { InjectionKind } from '../injection.ts';

/** A way of speaking to a machine; alone most of them are ordinary language, and several together are not. */
export interface Signal {
  /** Those of one name count once. */
  name: string;
  kind: InjectionKind;
  /** From 1, said to people as well, to 3, said to machines alone. */
  weight: 1 | 2 | 3;
  /** Over lower-case text without accents. */
  pattern: RegExp;
}

/** A blank in a pattern stands for whatever space there is, so that a broken line hides nothing. */
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
