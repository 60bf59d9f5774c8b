import type { Checklist } from '../../lib/checklist/checklist-item.ts';
import { tableItems } from '../../lib/checklist/table-items.ts';
import { textItems } from '../../lib/checklist/text-items.ts';
import type { FileContent } from '../../outside/files/file-reader.ts';

/** Items of the checklist in a file. */
export function readChecklist({ sheets, text }: FileContent): Checklist {
  if (text !== undefined) return textItems(text);
  const checklists = (sheets ?? []).map(({ name, rows }) =>
    tableItems(rows, (sheets?.length ?? 0) > 1 ? name : ''),
  );
  return {
    items: checklists.flatMap(({ items }) => items),
    skipped: checklists.flatMap(({ skipped }) => skipped),
  };
}
