import { nearestTo } from '../../lib/text/edit-distance.ts';
import { pathName } from '../../lib/text/storable-json.ts';
import type { FieldTree, ObjectTree } from './field-tree.ts';

/** Longer names are no typos and would take long to compare. */
const MAX_COMPARED = 60;
/** Shorter names, such as `id`, are fields of many objects, so that another place says nothing. */
const MIN_TELLING = 5;

/** Names that differ only in case, separators or number are the same. */
const sameName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[_\-\s]/g, '')
    .replace(/(?<=..)s$/, '');

const maxDistanceOf = ({ length }: string): number => (length < 4 ? 0 : length < 8 ? 1 : length < 13 ? 2 : 3);

/** The field that the caller most likely means, as a path within the body: near by name, or at another place. */
export function suggestField(
  root: FieldTree | undefined,
  { path, object }: { path: (string | number)[]; object: ObjectTree | undefined },
): string | undefined {
  const name = String(path.at(-1));
  if (name.length > MAX_COMPARED) return undefined;
  const here = object && [...object.fields.keys()];
  const sibling = (found: string | undefined) =>
    found === undefined ? undefined : pathName(['data', ...path.slice(0, -1), found]);
  const wanted = sameName(name);
  const places = placesOf(root);
  const elsewhere = (isMeant: (name: string) => boolean) =>
    name.length < MIN_TELLING ? undefined : places.find((one) => isMeant(one.name))?.place;
  const longer = here?.filter((one) => name.length >= MIN_TELLING && sameName(one).startsWith(wanted));
  return (
    sibling(here?.find((one) => sameName(one) === wanted)) ??
    elsewhere((one) => one === name) ??
    sibling(here && nearestTo(name, here, maxDistanceOf)?.text) ??
    sibling(longer?.length === 1 ? longer[0] : undefined) ??
    elsewhere((one) => sameName(one) === wanted)
  );
}

interface NamedPlace {
  name: string;
  /** Such as `data.users[].name`. */
  place: string;
}

/** Every declared field, those nearest to the root first. */
function placesOf(root: FieldTree | undefined): NamedPlace[] {
  const found: NamedPlace[] = [];
  const seen = new Set<FieldTree>();
  let level: [FieldTree | undefined, string][] = [[root, 'data']];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const [tree, place] of level) {
      if (!tree || seen.has(tree)) continue;
      seen.add(tree);
      if (tree.kind === 'list') next.push([tree.element, `${place}[]`]);
      else if (tree.kind === 'choice')
        for (const { tree: option } of tree.options) next.push([option, place]);
      else {
        for (const [name, inner] of tree.fields) {
          found.push({ name, place: `${place}.${name}` });
          next.push([inner, `${place}.${name}`]);
        }
        next.push([tree.others, `${place}.*`]);
      }
    }
    level = next;
  }
  return found;
}
