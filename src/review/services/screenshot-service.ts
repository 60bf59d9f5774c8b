import { asObject } from '../../lib/json.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import {
  type Picture,
  screenshotOptions,
  takePicture,
  webPageScreenshot,
} from '../gather/web-page-screenshot.ts';
import type { Service } from './review-service.ts';

export interface ScreenshotData {
  /** Id of the PNG among the artifacts of the execution. */
  artifactId: string;
  mimeType: 'image/png';
  width: number;
  height: number;
  /** True if the page goes on below the picture. */
  truncated: boolean;
  deviceType: Picture['deviceType'];
}

/** Saves a picture of the page as an artifact. It reports no findings. */
export const screenshot: Service = {
  id: 'screenshot',
  isPublic: true,
  reads: [webPageScreenshot.name],
  isQuick: true,

  async run(task, context) {
    const { bytes, width, height, truncated, deviceType } = await takenScreenshot(task, context);
    const artifactId = await context.storeArtifact({ name: 'screenshot.png', mimeType: 'image/png', bytes });
    const data: ScreenshotData = { artifactId, mimeType: 'image/png', width, height, truncated, deviceType };
    return { findings: [], data, summary: `Screenshot of ${task.url}, ${width} x ${height} px.` };
  },
};

/** The picture of the gather phase, or a new one. */
async function takenScreenshot(task: PageTask, { browser, signal }: PageContext): Promise<Picture> {
  const gathered = task.gathered.find(({ name }) => name === webPageScreenshot.name);
  if (gathered?.error !== undefined) throw new Error(gathered.error);
  if (gathered) return gathered.data as Picture;
  const options = screenshotOptions.parse(asObject(task.execution.strategyOptions).screenshot ?? {});
  const view = webPageScreenshot.view(options, task.deviceType);
  return browser.withPage(task.url, view, { signal }, ({ page }) =>
    takePicture({ page, options, deviceType: view.deviceType }),
  );
}
