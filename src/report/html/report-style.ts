import { findingStyle } from './finding-style.ts';
import { pictureStyle } from './picture-style.ts';

const colors = `
:root{color-scheme:light dark;
--paper:#fff;--sheet:#fff;--tint:#f6f6f7;--line:#e4e4e8;--edge:#d0d1d7;--ink:#1a1b20;--dim:#5c5f6a;--link:#2353b8;--focus:#2353b8;--mark:#fff0b8;--pen:#c3202f;
--critical:#b4132a;--high:#b3460b;--medium:#7e5d00;--low:#2a5db0;--info:#5c5f6a;
--good:#176b41;--good-tint:#eef8f1;--good-line:#bfe1cb;--bad:#b4132a;--bad-tint:#fdf2f2;--bad-line:#f0c9cc}
@media screen and (prefers-color-scheme:dark){:root{
--paper:#131417;--sheet:#1a1b1f;--tint:#202227;--line:#2b2d33;--edge:#3e4149;--ink:#e9eaee;--dim:#a0a3ae;--link:#8fb4ff;--focus:#8fb4ff;--mark:#5a4a10;--pen:#ff7b84;
--critical:#ff8b93;--high:#ffa466;--medium:#e3bd52;--low:#8fb4ff;--info:#a9acb7;
--good:#74d39a;--good-tint:#14231a;--good-line:#27492f;--bad:#ff8b93;--bad-tint:#2a1719;--bad-line:#53282c}}
.k-critical{--k:var(--critical);--pin:#b4132a}.k-high{--k:var(--high);--pin:#b3460b}.k-medium{--k:var(--medium);--pin:#7e5d00}.k-low{--k:var(--low);--pin:#2a5db0}.k-info{--k:var(--info);--pin:#565964}`;

const base = `
*{box-sizing:border-box}
html{font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;-webkit-text-size-adjust:100%;scroll-padding-top:1rem;overflow-wrap:anywhere}
@media (prefers-reduced-motion:no-preference){html,.frame{scroll-behavior:smooth}}
body{margin:0 auto;max-width:94rem;padding:2.25rem 2rem 3rem;background:var(--paper);color:var(--ink)}
h1,h2,h3,h4,p,ul,ol,dl,dd,pre,blockquote,fieldset{margin:0;padding:0;border:0}
ul,ol{list-style:none}
h1{font-size:2rem;line-height:1.2;font-weight:650;letter-spacing:-.02em}
h2{font-size:1.15rem;line-height:1.35;font-weight:650;letter-spacing:-.01em}
h3{font-size:1rem;line-height:1.4;font-weight:600}
h4{font-size:.8rem;font-weight:600;color:var(--dim)}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.2em}
b{font-weight:600}
code,pre{font:.86em/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.dim,.note,.absence{color:var(--dim)}
.note{font-size:.87rem;margin-top:.4rem}
.host{color:var(--dim);font-weight:400}
.shape{display:inline-block;flex:none;width:.62em;height:.62em;background:var(--k);forced-color-adjust:none}
.k-critical>.shape,.k-critical .shape{clip-path:polygon(30% 0,70% 0,100% 30%,100% 70%,70% 100%,30% 100%,0 70%,0 30%);width:.72em;height:.72em}
.k-high>.shape,.k-high .shape{clip-path:polygon(50% 5%,100% 95%,0 95%);width:.74em;height:.74em}
.k-medium>.shape,.k-medium .shape{border-radius:1px}
.k-low>.shape,.k-low .shape{border-radius:50%}
.k-info>.shape,.k-info .shape{border-radius:50%;background:none;box-shadow:inset 0 0 0 1.5px var(--k)}
.severity{display:inline-flex;align-items:center;gap:.38em;color:var(--k);font-size:.82rem;font-weight:600;white-space:nowrap}
summary{cursor:pointer;color:var(--dim);font-size:.87rem}
summary:hover{color:var(--ink)}`;

const head = `
.top .name{display:flex;align-items:center;gap:.5rem;margin-bottom:1.6rem;font-size:.87rem;font-weight:650}
.top .name span{font-weight:400;color:var(--dim)}
.nib{width:.55rem;height:.9rem;background:var(--pen);clip-path:polygon(0 0,100% 0,100% 55%,50% 100%,0 55%)}
.addresses{margin-top:.55rem;font-size:1rem}
.addresses .host{color:inherit}
.when,.verdict{color:var(--dim);font-size:.9rem;margin-top:.15rem}
.verdict:empty{display:none}
.changes{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin-top:.75rem;font-size:.93rem}
.changes a{color:inherit}
.gate{display:flex;gap:1.25rem;align-items:baseline;margin-top:1.4rem;padding:1rem 1.25rem;border:1px solid;border-radius:10px}
.gate.fail{background:var(--bad-tint);border-color:var(--bad-line)}
.gate.pass{background:var(--good-tint);border-color:var(--good-line)}
.gate .label{font-weight:700;font-size:1.05rem;letter-spacing:.02em}
.gate.fail .label{color:var(--bad)}.gate.pass .label{color:var(--good)}
.failing{margin-top:.35rem;color:var(--ink)}
.failing a{display:inline-block;min-width:1.7em;padding:0 .3em;text-align:center;line-height:24px;color:var(--ink);text-decoration:none;border:1px solid var(--edge);border-radius:6px;background:var(--sheet);font-size:.84rem;font-variant-numeric:tabular-nums}
.failing a:hover{border-color:var(--bad)}
.problems{margin-bottom:2.5rem;padding:1rem 1.25rem;background:var(--tint);border-radius:10px}
.problems h2{font-size:1rem}
.problems li{margin-top:.6rem;font-size:.93rem}`;

const filters = `
#filters{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:1rem 1.5rem;margin:1.75rem 0 2.5rem;padding-bottom:1.5rem;border-bottom:1px solid var(--line)}
.tiles{display:flex;flex-wrap:wrap;gap:.5rem}
.tile{position:relative;display:flex;flex-direction:column;min-width:5.9rem;padding:.5rem .8rem .55rem;border:1px solid var(--line);border-radius:9px;background:var(--sheet);cursor:pointer}
.tile b{font-size:1.35rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
.tile span{display:flex;align-items:center;gap:.4em;font-size:.82rem;color:var(--dim)}
.tile input{position:absolute;inset:0;margin:0;opacity:0;cursor:inherit}
.tile:hover{border-color:var(--edge)}
.tile.zero{cursor:default;background:none;color:var(--dim)}
.tile.zero:hover{border-color:var(--line)}
.tile:has(:checked){border-color:var(--ink);box-shadow:inset 0 0 0 1px var(--ink)}
.tile:has(:focus-visible){outline:2px solid var(--focus);outline-offset:2px}
.choices{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem}
select,button,.check{font:inherit;font-size:.9rem;min-height:2.2rem;padding:.3rem .7rem;color:var(--ink);background:var(--sheet);border:1px solid var(--edge);border-radius:8px}
select{max-width:16rem;padding-right:.4rem;text-overflow:ellipsis}
.check{display:inline-flex;align-items:center;gap:.45rem;cursor:pointer}
.check input{margin:0;width:1rem;height:1rem;accent-color:var(--link)}
button{cursor:pointer}
button:hover,select:hover,.check:hover{border-color:var(--dim)}
#filters [type=reset]{border-color:transparent;background:none;color:var(--link);visibility:hidden}
#filters:has(option:not([value=""]):checked,#new-only:checked,.tile~.tile>:checked) [type=reset]{visibility:visible}
main{counter-reset:shown}
.page{counter-reset:here}
.cause{counter-reset:place}
.one{counter-increment:shown here place}
@counter-style redpen-rest{system:cyclic;symbols:"";suffix:""}
@counter-style redpen-left{system:fixed 0;symbols:"No finding matches these filters.";fallback:redpen-rest}
@counter-style redpen-here{system:fixed 0;symbols:"No finding here matches the filters.";fallback:redpen-rest}
@counter-style redpen-place{system:fixed 0;symbols:"No place matches the filters.";fallback:redpen-rest}
.none-left::before{content:counter(shown,redpen-left)}
.none-here::before{content:counter(here,redpen-here)}
.cause .none-here::before{content:counter(place,redpen-place)}
.none-left,.none-here{color:var(--dim)}
.none-left{text-align:center;font-size:1.05rem}
.how-many::before{content:counter(shown)}
.filter-result{display:none;position:sticky;bottom:1rem;z-index:5;width:max-content;max-width:100%;margin:2rem auto;align-items:center;gap:.9rem;padding:.4rem .45rem .4rem 1.1rem;border-radius:99px;background:var(--ink);color:var(--paper);font-size:.9rem;box-shadow:0 6px 24px rgb(0 0 0/.22)}
.filter-result button{border:0;border-radius:99px;background:var(--paper);color:var(--ink)}
#filters:has(option:not([value=""]):checked,#new-only:checked,.tile~.tile>:checked)~main .filter-result{display:flex}
@supports not selector(:has(*)){.choices,.tile input,.filter-result,.none-left,.none-here{display:none}.tile{cursor:default}}`;

const appendix = `
.rest{margin-top:2.5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
.rest>h2{margin-bottom:.5rem}
.fold{padding:.3rem 0}
.fold summary b{color:var(--ink);margin-right:.35em}
.fold .list{margin:.6rem 0 1rem;max-width:52rem}
.fixed li{display:grid;grid-template-columns:5.5rem 1fr;align-items:baseline;padding:.35rem 0}
.plain li{padding:.2rem 0}
.plain .picture{margin-top:.3rem}
.rules{max-width:52rem}
.rules li{padding:1rem 0;border-bottom:1px solid var(--line)}
.rules li:last-child{border:0}
.scroll{overflow-x:auto;margin-top:.6rem}
table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.4rem 1.5rem .4rem 0;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap;font-weight:400}
thead th{color:var(--dim);font-size:.82rem}
td{font-variant-numeric:tabular-nums}
body>footer{margin-top:3rem;padding-top:1.25rem;border-top:1px solid var(--line);color:var(--dim);font-size:.84rem}`;

const narrow = `
@media (max-width:56rem){
body{padding:1.25rem 1rem 2.5rem}
h1{font-size:1.55rem}
.top .name{margin-bottom:1.1rem}
.gate{flex-direction:column;gap:.2rem;padding:.85rem 1rem}
.tiles{display:grid;grid-template-columns:repeat(3,1fr);width:100%}
.tile{min-width:0}
.choices{width:100%}
.choices .select{flex:1 1 100%}
select{width:100%;max-width:none}
#filters{margin-bottom:2rem}
.fixed li{grid-template-columns:1fr;gap:.1rem}}`;

const print = `
@media print{
:root{color-scheme:light;--ink:#000}
html{font-size:10pt}
body{max-width:none;padding:0}
#filters .choices,.filter-result,.copy::after{display:none}
.tile,.pin,.shape,mark{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.page{display:block!important}
details::details-content{content-visibility:visible!important;display:block!important}
.frame{max-height:none!important;overflow:visible!important}
.canvas{min-width:0!important}
.picture{position:static!important;max-width:60%;margin:1rem 0}
.card,.problems,.gate{break-inside:avoid}
.card{content-visibility:visible!important}
h2,h3{break-after:avoid}
a{color:inherit}}`;

/** The style sheet of every report. */
export const reportStyle = [
  colors,
  base,
  head,
  filters,
  findingStyle,
  pictureStyle,
  appendix,
  narrow,
  print,
].join('');
