import type { Endpoint } from '../endpoint.ts';
import { operationId } from '../openapi/operation-id.ts';
import type { Guide, Section } from './guides.ts';

/** A result of the search: a section of a guide, or an operation. */
export interface SearchEntry {
  id: number;
  title: string;
  /** The guide or the kind of entry. */
  place: string;
  text: string;
  /** Relative to the folder of the site. */
  url: string;
}

/** Longer sections are found by their beginning and their heading. */
const MAX_TEXT = 4_000;

/** Entries for every section of the guides and every operation. */
export function listSearchEntries(
  guides: readonly { guide: Guide; sections: readonly Section[] }[],
  endpoints: readonly Endpoint[],
): SearchEntry[] {
  const ofGuides = guides.flatMap(({ guide, sections }) =>
    sections.map(({ id, heading, text }) => ({
      title: heading || guide.title,
      place: guide.title,
      text: text.slice(0, MAX_TEXT),
      url: `guides/${guide.name}${id === '' ? '' : `#${id}`}`,
    })),
  );
  const ofOperations = endpoints.flatMap(({ path, summary, description = '' }) =>
    ([path].flat() as string[])
      .filter((one) => one.startsWith('/v2/'))
      .map((one) => ({
        title: one,
        place: 'Operation',
        text: `${summary} ${description}`,
        url: `../docs#${anchorOf(one)}`,
      })),
  );
  return [...ofOperations, ...ofGuides].map((entry, id) => ({ id, ...entry }));
}

/** The anchor of an operation in the reference. */
const anchorOf = (path: string): string => `tag/${path.split('/')[2]}/${operationId(path)}`;
