/** The lifetimes that a token may have, in days. */
export const LIFETIMES = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: 'A year' },
  { id: 'none', label: 'No end' },
] as const;
export type Lifetime = (typeof LIFETIMES)[number]['id'];

/** The field of a request that limits the life of a token, if it has a limit. */
export const expiryOf = (lifetime: Lifetime): { expiresInDays?: number } =>
  lifetime === 'none' ? {} : { expiresInDays: Number(lifetime) };
