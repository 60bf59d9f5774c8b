import type { Fields } from '../../lib/json.ts';

const STEP = /(?:^|\.)([^.[\]"]+)|\[(\d+)\]|\["([^"]*)"\]/y;

/**
 * Selects a part of a JSON value by a path such as `a.b[0].c`, `a.b.0.c` or `a["x.y"]`; undefined if it does not exist.
 * Only own properties are followed, so a path cannot reach inherited properties.
 */
export function selectPath(value: unknown, path: string): unknown {
  const steps = pathSteps(path.trim());
  if (steps === undefined) return undefined;
  let found = value;
  for (const step of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    if (Array.isArray(found) && !/^\d+$/.test(step)) return undefined;
    found = (found as Fields)[step];
  }
  return found;
}

/**
 * The property names of a path; undefined if it is not a valid path. `$` and the empty path refer to the value itself.
 */
export function pathSteps(path: string): string[] | undefined {
  const rest = path.replace(/^\$(?=$|[.[])\.?/, '');
  const steps: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < rest.length) {
    const match = STEP.exec(rest);
    if (match === null) return undefined;
    steps.push(match[1] ?? match[2] ?? match[3] ?? '');
  }
  return steps;
}
