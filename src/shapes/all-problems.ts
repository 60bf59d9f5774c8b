/**
 * Options of a check across fields: it also runs if single fields are invalid, so that one response lists all problems.
 */
export const withOtherProblems = {
  when: ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null,
};
