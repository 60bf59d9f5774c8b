import { listTokens, type PersonalToken } from '../data/identity.ts';
import { useKeyQuery } from '../data/use-key-query.ts';

/** The name of the list of personal tokens, for those who change it. */
export const TOKENS = ['tokens'] as const;

/** The tokens of the member for the API key, for owners those of all members. `refetchInterval` is in milliseconds. */
export const useTokens = (refetchInterval?: (tokens: PersonalToken[] | undefined) => number | false) =>
  useKeyQuery<PersonalToken[]>(TOKENS, listTokens, { ...(refetchInterval && { refetchInterval }) });

/** True if what acts with the token counts as an assistant. */
export const isOfAssistant = ({ isAssistant, clientId }: PersonalToken): boolean =>
  isAssistant || clientId !== undefined;

/** The host that stands for a client of OAuth, whose id is an address; undefined for other tokens. */
export const hostOfClient = ({ clientId }: Pick<PersonalToken, 'clientId'>): string | undefined =>
  clientId === undefined ? undefined : (URL.parse(clientId)?.host ?? clientId);
