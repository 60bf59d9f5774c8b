import { z } from 'zod';
import { judged, masterKey, wholeNumber } from './setting-rules.ts';

/** Characters that mean something to a shell, which does not run the command. */
const FOR_A_SHELL = /["'`$|&;<>(){}*?~\\]/;

const words = z.array(z.string()).min(1);

/**
 * Program and arguments of a command that runs without a shell: a JSON array, or words separated by spaces. Undefined if it
 * is neither.
 */
export function readCommandWords(text: string): string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) return FOR_A_SHELL.test(trimmed) ? undefined : trimmed.split(/\s+/);
  try {
    const parsed = words.safeParse(JSON.parse(trimmed));
    return parsed.success && parsed.data[0] !== '' ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

const command = judged((text) =>
  readCommandWords(text) === undefined
    ? 'must be a program and its arguments separated by spaces, or a JSON array of them; there is no shell that reads quotes, variables or pipes, so put those into a script'
    : undefined,
);

/** Settings of the keys of the service. */
export const keySettings = {
  REDPEN_MASTER_KEY: masterKey
    .optional()
    .describe(
      'Base64 of 32 bytes; encrypts stored secrets. By default generated at the first start in the data directory, readable only by its owner.',
    ),
  REDPEN_MASTER_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file with the master key instead, such as a mounted secret; more lines are earlier keys. It is read again while the service runs.',
    ),
  REDPEN_MASTER_KEY_COMMAND: command
    .optional()
    .describe(
      'A command that prints the master key instead, such as the client of a key management service; more lines are earlier keys. It runs at each start, without a shell.',
    ),
  REDPEN_MASTER_KEY_PREVIOUS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(masterKey))
    .optional()
    .describe(
      'Earlier master keys, comma-separated: they decrypt secrets until `redpen keys rotate` has run.',
    ),
  REDPEN_SIGNING_KEY_DAYS: wholeNumber(0, 36_500)
    .default(90)
    .describe(
      'Days after which the service signs user tokens with a new key; issued tokens stay valid. 0 leaves it to `redpen keys rotate-signing`.',
    ),
  REDPEN_KEY_AGE_WARNING: wholeNumber(0, 36_500)
    .default(365)
    .describe(
      'Days after which `redpen doctor` warns that the master key, a token of an API key or workspace, or a secret of a webhook endpoint should be rotated. 0 never warns.',
    ),
};
