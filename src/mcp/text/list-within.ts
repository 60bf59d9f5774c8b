import { type Answer, fits } from './answer.ts';

interface Page<Item> {
  items: readonly Item[];
  next: string | undefined;
}

/** As long as a cursor of the service can be. */
const LONG_CURSOR = 'x'.repeat(300);

/**
 * Answers with a page of a list that keeps the limit of answers. The cursor of a page stands for its end, so a page that is
 * too long is read again with fewer entries.
 */
export async function listWithin<Item>(
  read: (pageSize: number) => Promise<Page<Item>>,
  limit: number,
  render: (page: Page<Item>) => Answer,
): Promise<Answer> {
  const page = await read(limit);
  const answer = render(page);
  if (fits(answer)) return answer;
  const most = page.items.length - 1;
  if (most < 1) return answer;
  let count = most;
  while (count > 1 && !fits(render({ items: page.items.slice(0, count), next: LONG_CURSOR }))) count -= 1;
  return await listWithin(read, count, render);
}
