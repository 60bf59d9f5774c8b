import { plural } from '../../lib/text/plural.ts';
import type { ReportPage } from '../report.ts';
import { countBySeverity, describeSeverities } from '../summary.ts';
import { printGroup } from './finding-card.ts';
import type { PageGroups } from './finding-groups.ts';
import { externalLink, html, type Markup } from './markup.ts';
import { printPicture } from './page-picture.ts';
import { filterClasses, type ReportView } from './report-view.ts';
import { addressMarkup, severityLabel } from './report-words.ts';

const MAX_ELSEWHERE = 30;

/** Findings with one cause on several pages, which are shown once for all of them. */
export function printAcrossPages(view: ReportView) {
  const { acrossPages } = view.groups;
  if (acrossPages.length === 0) return undefined;
  const findings = acrossPages.flatMap((group) => group.findings);
  return html`<section class="page across ${filterClasses(view, findings)}" aria-labelledby="across">
<header class="page-head"><h2 id="across">On several pages</h2><p class="dim">One cause each, so one fix mends all places.</p></header>
<div class="list">${acrossPages.map((group) => printGroup(view, group))}<p class="none-here"></p></div></section>
`;
}

/** A page with its findings and its picture. */
export function printPage(view: ReportView, at: number, { page, groups, elsewhere }: PageGroups): Markup {
  const picture = view.pictures.get(page.url);
  const findings = [...groups.flatMap((group) => group.findings), ...elsewhere];
  return html`<section class="page ${picture && 'pictured'} ${groups.length < 2 && 'short'} ${picture && `of-${picture.screenshot.deviceType}`} ${filterClasses(view, findings)}" aria-labelledby="page-${at}">
<header class="page-head"><h2 id="page-${at}">${addressMarkup(page.url)}</h2><p class="dim">${plural(findings.length, 'finding')}: ${describeSeverities(countBySeverity(findings))} · ${externalLink(page.url, 'Open the page')}</p>
${printMissing(page, picture !== undefined)}</header>
<div class="list">${groups.map((group) => printGroup(view, group))}
${printElsewhere(view, elsewhere)}${groups.length > 0 && html`<p class="none-here"></p>`}</div>
${picture && printPicture(view, page.url, picture)}</section>
`;
}

const printMissing = ({ screenshot }: ReportPage, isShown: boolean) =>
  screenshot && !isShown && html`<p class="note">The picture of this page is not in this file.</p>`;

/** Links to what is shown with the findings on several pages. */
function printElsewhere(view: ReportView, findings: PageGroups['elsewhere']) {
  if (findings.length === 0) return undefined;
  const more = findings.length - MAX_ELSEWHERE;
  return html`<div class="elsewhere"><h3>Also on this page</h3><ul>
${findings
  .slice(0, MAX_ELSEWHERE)
  .map(
    (finding) =>
      html`<li class="${filterClasses(view, [finding])}">${severityLabel(finding.severity)} <a href="#finding-${finding.number}">${finding.number}. ${finding.title}</a></li>`,
  )}${more > 0 && html`<li>and ${more} more</li>`}</ul></div>`;
}

/** Reviewed pages without a finding, with their pictures folded. */
export function printPagesWithout(view: ReportView, pages: readonly PageGroups[]) {
  const reviewed = pages.filter(({ page }) => page.status === 'reviewed');
  if (reviewed.length === 0) return undefined;
  return html`<section class="rest" aria-labelledby="without"><h2 id="without">Without findings</h2><ul class="plain">
${reviewed.map(({ page }) => {
  const picture = view.pictures.get(page.url);
  return html`<li>${externalLink(page.url, addressMarkup(page.url))} ${printMissing(page, picture !== undefined)}${picture && printPicture(view, page.url, picture)}</li>`;
})}</ul></section>`;
}
