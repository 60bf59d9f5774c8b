import type { PageContext, PageTask } from '../core/execute-task.ts';
import {
  type Picture,
  screenshotOptions,
  takePicture,
  webPageScreenshot,
} from '../gather/web-page-screenshot.ts';
import type { Service } from './review-service.ts';

/** What a run of the screenshot service tells of a page. */
export interface ScreenshotData {
  /** The kept PNG. */
  artifactId: string;
  mimeType: 'image/png';
  width: number;
  height: number;
  /** Whether the page goes on below the picture. */
  truncated: boolean;
  deviceType: Picture['deviceType'];
}

/** Keeps a picture of the page; a picture is no fault of the page, so there are no findings. */
export const screenshot: Service = {
  id: 'screenshot',
  isPublic: true,

  async run(task, context) {
    const { bytes, width, height, truncated, deviceType } = await takenScreenshot(task, context);
    const artifactId = await context.keepArtifact({ name: 'screenshot.png', mimeType: 'image/png', bytes });
    const data: ScreenshotData = { artifactId, mimeType: 'image/png', width, height, truncated, deviceType };
    return { findings: [], data, summary: `Screenshot of ${task.url}, ${width} x ${height} px.` };
  },
};

/** The picture of the gather phase, where the agent asks for one there; otherwise a new one. */
async function takenScreenshot(task: PageTask, { browser, signal }: PageContext): Promise<Picture> {
  const gathered = task.gathered.find(({ name }) => name === webPageScreenshot.name);
  if (gathered?.error !== undefined) throw new Error(gathered.error);
  if (gathered) return gathered.data as Picture;
  const { strategyOptions } = task.execution as { strategyOptions?: Record<string, unknown> };
  const options = screenshotOptions.parse(strategyOptions?.screenshot ?? {});
  const view = webPageScreenshot.view(options, task.deviceType);
  return browser.withPage(task.url, view, { signal }, ({ page }) =>
    takePicture({ page, options, deviceType: view.deviceType }),
  );
}
