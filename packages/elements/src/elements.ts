import { RpDiff } from './diff/diff.ts';
import { RpProvider } from './element/provider.ts';
import { register } from './element/register.ts';
import { RpFindings } from './findings/findings.ts';
import { RpPins } from './pins/pins.ts';
import { RpRun } from './run/run.ts';

export type { DecisionStep, Refusals, SendDecision } from './findings/decisions.ts';
export type { Decision, GroupBy, ListedFinding, RuleBook } from './findings/listed-finding.ts';
export type { Pin, PinnedFinding } from './pins/pin.ts';
export type { ReviewRecord } from './run/follow-review.ts';
export { RpDiff, RpFindings, RpPins, RpProvider, RpRun };

// First the provider, so that it is there when the elements within it ask for it.
register('rp-provider', RpProvider);
register('rp-pins', RpPins);
register('rp-findings', RpFindings);
register('rp-diff', RpDiff);
register('rp-run', RpRun);

declare global {
  interface HTMLElementTagNameMap {
    'rp-run': RpRun;
    'rp-diff': RpDiff;
    'rp-provider': RpProvider;
    'rp-pins': RpPins;
    'rp-findings': RpFindings;
  }
}
