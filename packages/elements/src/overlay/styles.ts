import { tokensWithin } from '../theme/tokens.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];

/** A sheet for shadow roots. Policies against inline styles do not concern it. */
export function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** Tab and pins. The host has no box of its own, so that nothing of the page moves. */
export const baseStyles = `
${tokensWithin(':host')}
:host{all:initial;position:absolute;inset:0 auto auto 0;inline-size:0;block-size:0;z-index:2147483646;
color-scheme:inherit;font:var(--_size)/var(--_leading) var(--_font);color:var(--_ink)}
:host([hidden]){display:none}
*{box-sizing:border-box}
[hidden]{display:none!important}
button{font:inherit;color:inherit;cursor:pointer}
:focus-visible{outline:2px solid var(--_focus);outline-offset:2px}
.layer{position:absolute;inset:0 auto auto 0;direction:ltr}
.pin{position:absolute;inset:0 auto auto 0;display:grid;place-items:center;inline-size:26px;block-size:26px;
padding:0;border:0;background:none;color:var(--_on-fill);font-weight:700;font-size:11px;line-height:1}
.face{display:grid;place-items:center;min-inline-size:22px;block-size:22px;padding-inline:4px;
border-radius:11px 11px 11px 3px;background:var(--fill,#35312d);box-shadow:0 0 0 1.5px #fff,0 1px 5px #0006;
transition:scale .12s;forced-color-adjust:none}
.pin:hover,.pin:focus-visible,.pin.on{z-index:2}
.pin:hover .face,.pin.on .face{scale:1.15}
.pin:focus-visible{outline:none}
.pin:focus-visible .face{outline:2px solid #2353b8;outline-offset:2px;box-shadow:0 0 0 5px #fff}
${SEVERITIES.map((name) => `.k-${name}{--fill:var(--_${name}-fill);--k:var(--_${name})}`).join('')}
.k-critical .face{border-radius:4px;box-shadow:0 0 0 1.5px #fff,0 0 0 3px var(--fill),0 1px 5px #0006}
.k-high .face{border-radius:3px 11px 11px 11px}
.k-medium .face{border-radius:4px}
.k-info .face{background:#fff;color:var(--fill);box-shadow:0 0 0 1.5px var(--fill),0 1px 5px #0006}
.pin.unread .face::after{content:'';position:absolute;inset:0 0 auto auto;inline-size:9px;block-size:9px;
border:1.5px solid #fff;border-radius:50%;background:var(--_accent-fill)}
.corner{position:fixed;inline-size:0;block-size:36px;direction:ltr}
.tab{position:absolute;inset:0 auto auto 0;display:inline-flex;align-items:center;gap:8px;block-size:36px;padding:0 14px;
border:1px solid var(--_line-strong);border-radius:18px;background:var(--_surface);color:var(--_ink);
font-weight:500;box-shadow:var(--_shadow);touch-action:none;user-select:none;white-space:nowrap}
.tab:hover{background:var(--_tint)}
.tab .dot{inline-size:8px;block-size:8px;border-radius:50%;background:var(--_accent-fill)}
.tab .dot.off{background:var(--_edge)}
.bottom-right .tab,.top-right .tab{translate:-100% 0}
.bottom-right{inset:auto 16px 16px auto}.bottom-left{inset:auto auto 16px 16px}
.top-right{inset:16px 16px auto auto}.top-left{inset:16px auto auto 16px}
.unseen{position:fixed;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(prefers-reduced-motion:reduce){.face{transition:none}}
@media(forced-colors:active){.face,.tab{border:1px solid ButtonText}}
@media print{:host{display:none}}
`;
