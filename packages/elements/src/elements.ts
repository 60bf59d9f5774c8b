import { RpComposer } from './comments/composer.ts';
import { RpThread } from './comments/thread.ts';
import { RpThreads } from './comments/threads.ts';
import { RpDiff } from './diff/diff.ts';
import { RpProvider } from './element/provider.ts';
import { register } from './element/register.ts';
import { RpFindings } from './findings/findings.ts';
import { RpInbox } from './inbox/inbox.ts';
import { RpPins } from './pins/pins.ts';
import { RpPresence } from './presence/presence.ts';
import { RpRun } from './run/run.ts';

export type { Written } from './comments/composer.ts';
export type { ThreadAction } from './comments/thread-actions.ts';
export type { ThreadFilter } from './comments/thread-list.ts';
export type { RedpenEvents } from './events.ts';
export type { DecisionStep, Refusals, SendDecision } from './findings/decisions.ts';
export type { Decision, GroupBy, ListedFinding, RuleBook } from './findings/listed-finding.ts';
export type { Pin, PinnedFinding } from './pins/pin.ts';
export type { ReviewRecord } from './run/follow-review.ts';
export {
  RpComposer,
  RpDiff,
  RpFindings,
  RpInbox,
  RpPins,
  RpPresence,
  RpProvider,
  RpRun,
  RpThread,
  RpThreads,
};

// First the provider, so that it is there when the elements within it ask for it.
register('rp-provider', RpProvider);
register('rp-pins', RpPins);
register('rp-findings', RpFindings);
register('rp-diff', RpDiff);
register('rp-run', RpRun);
register('rp-composer', RpComposer);
register('rp-thread', RpThread);
register('rp-threads', RpThreads);
register('rp-inbox', RpInbox);
register('rp-presence', RpPresence);

declare global {
  interface HTMLElementTagNameMap {
    'rp-presence': RpPresence;
    'rp-inbox': RpInbox;
    'rp-threads': RpThreads;
    'rp-thread': RpThread;
    'rp-composer': RpComposer;
    'rp-run': RpRun;
    'rp-diff': RpDiff;
    'rp-provider': RpProvider;
    'rp-pins': RpPins;
    'rp-findings': RpFindings;
  }
}
