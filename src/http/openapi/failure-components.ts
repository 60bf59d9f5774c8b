import type { Schema } from './named-schemas.ts';

interface Response extends Schema {
  description: string;
}
type Item = Record<
  string,
  { responses?: Record<string, Response>; 'x-redpen-credentials'?: readonly string[] }
>;

/**
 * Moves each failure that is the same in several operations to the components, named by its statuses. Of failures with
 * the same statuses, the most frequent gets the name; others stay with their operation. Missing credentials have a name for
 * each kind of credentials, because their example says which ones are missing.
 */
export function shareResponses(paths: Record<string, Schema>): Record<string, Response> {
  const places = Object.values(paths as Record<string, Item>).flatMap((item) =>
    Object.values(item).flatMap(({ responses = {}, 'x-redpen-credentials': credentials = [] }) =>
      Object.entries(responses)
        .filter(([code]) => code >= '400')
        .map(([code, response]) => ({
          responses,
          code,
          response,
          credentials,
          text: JSON.stringify(response),
        })),
    ),
  );
  const groups = [...Map.groupBy(places, ({ text }) => text).values()]
    .filter(({ length }) => length > 1)
    .toSorted((one, other) => other.length - one.length);
  const shared: Record<string, Response> = {};
  for (const group of groups) {
    const { code, response, credentials } = group[0]!;
    const usual = nameOf(code, response);
    const name = shared[usual] && code === '401' ? usual + nameOfCredentials(credentials) : usual;
    if (usual === '' || shared[name]) continue;
    shared[name] = response;
    for (const place of group) {
      place.responses[place.code] = { $ref: `#/components/responses/${name}` } as never;
    }
  }
  return shared;
}

/** `InvalidArgument`; two codes share that status, so theirs have the code as well. */
function nameOf(code: string, { description }: Response): string {
  const statuses = [...description.matchAll(/^`([A-Z_]+)`/gm)].map(([, status]) =>
    status!.toLowerCase().replaceAll(/(^|_)[a-z]/g, (letter) => letter.at(-1)!.toUpperCase()),
  );
  return statuses.length === 0 ? '' : `${[...new Set(statuses)].join('Or')}${code}`;
}

/** `ForApiKeyOrUserToken` */
const nameOfCredentials = (credentials: readonly string[]): string =>
  `For${credentials.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('Or')}`;
