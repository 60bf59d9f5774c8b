import type { Settings } from '../../deps.ts';

/** Refuses operations of the console if the operator has turned it off. */
export const consoleClosed = ({ console }: Settings): string | undefined =>
  console ? undefined : 'The console of this service is turned off.';

/** What the service says about itself to the console. */
export const serviceOf = ({ sendsMail, publicUrl }: Settings) => ({ mail: sendsMail, publicUrl });
