import type { Issue } from '../../lib/errors.ts';
import type { Path } from '../../lib/text/secret-shapes.ts';

/** A problem of a behavior: the sentence begins with the place, as in `execution.mcpServers[0].url leads to …`. */
export function issueAt(path: Path, sentence: string): Issue {
  const place = path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
  return { path: [...path], code: 'custom', message: `${place} ${sentence}` };
}
