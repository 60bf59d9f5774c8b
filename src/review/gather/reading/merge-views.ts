import type { View, WaitUntil } from '../../../outside/browser/browser.ts';

const PATIENCE: readonly WaitUntil[] = ['domcontentloaded', 'load', 'settled', 'networkidle'];

/** One view that serves all: waits for what the most patient wants, and skips only what nobody needs. */
export function mergeViews(views: readonly View[]): View | undefined {
  const [first] = views;
  if (!first) return undefined;
  const patience = Math.max(...views.map(({ waitUntil }) => PATIENCE.indexOf(waitUntil)));
  const skip = (first.skip ?? []).filter((kind) => views.every((view) => view.skip?.includes(kind)));
  return { deviceType: first.deviceType, waitUntil: PATIENCE[patience]!, skip };
}
