/** The letters that digits and signs stand for where a word is disguised: `h3ll0`. */
export const letterOf: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
