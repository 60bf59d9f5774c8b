import type { TaskResult } from '../core/execute-task.ts';
import type { ScreenshotData } from '../execute/services/screenshot-service.ts';

type ScreenshotResponse = {
  screenshots: ({ url: string } & ScreenshotData)[];
};

/** `screenshot-response`: the pictures of a run, in the order of its pages; a page without one is left out. */
export function screenshotResponse(
  results: readonly { url: string; result: TaskResult }[],
): ScreenshotResponse {
  const screenshots = results.flatMap(({ url, result }) =>
    isScreenshot(result.data) ? [{ url, ...result.data }] : [],
  );
  return { screenshots };
}

const isScreenshot = (data: unknown): data is ScreenshotData =>
  typeof data === 'object' && data !== null && 'artifactId' in data && typeof data.artifactId === 'string';
