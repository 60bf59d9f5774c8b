import { z } from 'zod';
import { named } from '../named.ts';
import { ownWords } from '../own-words.ts';

export const globs = z.array(z.string().min(1).max(200)).max(200);

const internalOnly = z.boolean().describe('If true, links to other hosts are not checked.');
const skip = globs.describe('URL globs of addresses that are not checked.');
const maxFindings = z
  .int()
  .min(1)
  .max(100_000)
  .optional()
  .describe('Maximum number of findings on a page, the gravest first; further ones are only counted.');

/** Options of the service `broken-links`. Unknown keys are rejected, because a misspelled key would have no effect. */
export const linkOptions = named(
  'BrokenLinksOptions',
  z.strictObject({
    internalOnly: internalOnly.default(false),
    skip: skip.default([]),
    maxFindings,
  }),
);

/** Options of the service spell-check. */
export const spellCheckOptions = named('SpellCheckOptions', z.looseObject({ words: ownWords.optional() }));

/** Options of services that a run may set, each in place of that of its agent. */
export const runOptions = named(
  'ServiceOptions',
  z.strictObject({
    'broken-links': z
      .strictObject({ internalOnly: internalOnly.optional(), skip: skip.optional(), maxFindings })
      .optional(),
    'spell-check': z.strictObject({ words: ownWords.optional() }).optional(),
  }),
);
export type RunOptions = z.infer<typeof runOptions>;
