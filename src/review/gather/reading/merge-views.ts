import type { View, WaitUntil } from '../../../outside/browser/browser.ts';

/** From the weakest condition to the strictest. */
const STRICTNESS: readonly WaitUntil[] = ['domcontentloaded', 'load', 'settled', 'networkidle'];

/** A view for all: with the strictest wait condition, and without the resources that all of them skip. */
export function mergeViews(views: readonly View[]): View | undefined {
  const [first] = views;
  if (!first) return undefined;
  const strictest = Math.max(...views.map(({ waitUntil }) => STRICTNESS.indexOf(waitUntil)));
  const skip = (first.skip ?? []).filter((kind) => views.every((view) => view.skip?.includes(kind)));
  const onlyReads = views.every((view) => view.onlyReads);
  return {
    deviceType: first.deviceType,
    waitUntil: STRICTNESS[strictest]!,
    skip,
    ...(onlyReads && { onlyReads }),
  };
}
