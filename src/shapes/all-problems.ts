/** For a check across fields: it runs also where single fields are wrong, so that all problems are told at once. */
export const withOtherProblems = {
  when: ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null,
};
