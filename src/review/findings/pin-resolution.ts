import type { Page } from 'playwright-core';
import type { Browser, View } from '../../outside/browser/browser.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { PageContext } from '../core/execution-strategy.ts';
import { locateInPage } from './locate-in-page.ts';

/** Waits for images and fonts, since they move the elements below them. */
export const pinView = (deviceType: DeviceType): View => ({ deviceType, waitUntil: 'networkidle' });

/** True if a finding is about a place on its page whose position is not known yet. */
const needsPin = ({ position, isPageLevel, findingType, ...finding }: Finding): boolean =>
  position === undefined &&
  findingType !== 'page' &&
  !(isPageLevel && finding.htmlSelector === '' && finding.targetElementXpath === '') &&
  (finding.htmlSelector !== '' || finding.targetElementXpath !== '' || finding.targetText !== '');

/** Opens the page to look up positions. Its failure is only logged, since findings are useful without positions. */
export async function withPositions(
  findings: Finding[],
  url: string,
  deviceType: DeviceType,
  browser: Browser,
  { signal, log }: Pick<PageContext, 'log' | 'signal'>,
): Promise<Finding[]> {
  if (!findings.some(needsPin)) return findings;
  try {
    return await browser.withPage(url, pinView(deviceType), { signal }, ({ page }) =>
      resolvePins(findings, page),
    );
  } catch (error) {
    signal.throwIfAborted();
    log({
      level: 'warn',
      message: `The positions of findings on ${url} could not be determined: ${(error as Error).message}`,
    });
    return findings;
  }
}

/**
 * Adds the position of its element or words to each finding, by a single call into the open page. Findings that are not
 * found, or have a position, are returned as they are.
 */
export async function resolvePins(findings: Finding[], page: Page): Promise<Finding[]> {
  const wanted = findings.filter(needsPin);
  if (wanted.length === 0) return findings;
  const positions = await page.evaluate(
    locateInPage,
    wanted.map(({ htmlSelector, targetElementXpath, targetText, occurrence, findingType }) => ({
      selector: htmlSelector,
      xpath: targetElementXpath,
      text: targetText,
      occurrence,
      isText: findingType === 'text',
    })),
  );
  const found = new Map(wanted.map((finding, index) => [finding, positions[index]]));
  return findings.map((finding) => {
    const position = found.get(finding);
    return position ? { ...finding, position } : finding;
  });
}
