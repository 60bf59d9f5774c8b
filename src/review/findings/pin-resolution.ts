import type { Page } from 'playwright-core';
import type { View } from '../../outside/browser/browser.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import { locateInPage } from './locate-in-page.ts';

/** Waits for images and fonts, since they move the elements below them. */
export const pinView = (deviceType: DeviceType): View => ({ deviceType, waitUntil: 'networkidle' });

export const namesElement = ({ htmlSelector, targetElementXpath }: Finding): boolean =>
  htmlSelector !== '' || targetElementXpath !== '';

/** True if a finding is about a place on its page whose position is not known yet. */
export const needsPin = (finding: Finding): boolean =>
  finding.position === undefined &&
  finding.findingType !== 'page' &&
  (namesElement(finding) || (!finding.isPageLevel && finding.targetText !== ''));

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

/** Empties selectors and XPaths that match nothing on the open page, such as those that a model invents. */
export async function withoutDeadSelectors(
  findings: Finding[],
  page: Page,
): Promise<{ findings: Finding[]; dropped: string[] }> {
  const named = findings.filter(namesElement);
  const matches = await page.evaluate(
    matchPlaces,
    named.map(({ htmlSelector, targetElementXpath }) => ({ htmlSelector, targetElementXpath })),
  );
  const found = new Map(named.map((finding, index) => [finding, matches[index]!]));
  const dropped: string[] = [];
  const kept = findings.map((finding): Finding => {
    const match = found.get(finding);
    if (!match) return finding;
    const { htmlSelector, targetElementXpath } = finding;
    if (htmlSelector !== '' && !match.bySelector) dropped.push(htmlSelector);
    if (targetElementXpath !== '' && !match.byXpath) dropped.push(targetElementXpath);
    return {
      ...finding,
      htmlSelector: match.bySelector ? htmlSelector : '',
      targetElementXpath: match.byXpath ? targetElementXpath : '',
    };
  });
  return { findings: kept, dropped };
}

/** Runs in the page. */
function matchPlaces(
  places: { htmlSelector: string; targetElementXpath: string }[],
): { bySelector: boolean; byXpath: boolean }[] {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*'))
      if (element.shadowRoot instanceof ShadowRoot) roots.push(element.shadowRoot);
  }
  const isTrue = (test: () => boolean) => {
    try {
      return test();
    } catch {
      // Models invent invalid selectors.
      return false;
    }
  };
  return places.map(({ htmlSelector, targetElementXpath }) => ({
    bySelector: isTrue(() => roots.some((root) => root.querySelector(htmlSelector) !== null)),
    byXpath: isTrue(
      () =>
        document.evaluate(targetElementXpath, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null)
          .singleNodeValue !== null,
    ),
  }));
}
