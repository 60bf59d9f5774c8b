import type { Page } from 'playwright-core';
import type { View } from '../../outside/browser/browser.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import { locateInPage } from './locate-in-page.ts';

/** Pictures and fonts are waited for, since they move what lies beneath them. */
export const pinView = (deviceType: DeviceType): View => ({ deviceType, waitUntil: 'networkidle' });

/** Whether a finding has a place on its page that is still to be found. */
export const needsPin = ({ position, isPageLevel, findingType, ...finding }: Finding): boolean =>
  position === undefined &&
  findingType !== 'page' &&
  !(isPageLevel && finding.htmlSelector === '' && finding.targetElementXpath === '') &&
  (finding.htmlSelector !== '' || finding.targetElementXpath !== '' || finding.targetText !== '');

/**
 * Gives each finding the place of its element or words on the open page, all in one question to the browser.
 * What cannot be found, or has a place already, stays as it is.
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
