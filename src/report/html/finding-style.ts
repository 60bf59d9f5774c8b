/** Sections of pages, and cards of findings. */
export const findingStyle = `
.page{margin-top:3rem}
main>.page:first-child{margin-top:0}
.page-head{margin-bottom:1rem}
.page-head h2{font-size:1.3rem}
.page-head .dim{font-size:.9rem}
.list{display:grid;gap:.75rem;min-width:0;align-content:start}
.card{min-width:0;padding:1.1rem 1.25rem 1rem;border:1px solid var(--line);border-radius:12px;background:var(--sheet);scroll-margin-top:.25rem;box-shadow:0 0 0 var(--chosen,0) var(--link)}
.many :is(.card,.place).one{content-visibility:auto;contain-intrinsic-size:auto 16rem}
.many .place.one{contain-intrinsic-size:auto 4rem}
.card:target,.place:target,.pin:target{--chosen:2px}
.card>header{display:flex;gap:.8rem;align-items:flex-start}
.card>header>div{min-width:0;flex:1}
.card .body{margin-left:2.6rem}
.number,.times{display:grid;place-items:center;flex:none;min-width:1.8rem;height:1.6rem;padding:0 .2rem;border-radius:6px;background:var(--pin,var(--tint));color:#fff;font-size:.84rem;font-weight:650;text-decoration:none;font-variant-numeric:tabular-nums;forced-color-adjust:none}
.number:hover{filter:brightness(1.15)}
.number.bare,.times{background:none;color:var(--dim);border:1px solid var(--edge)}
.marks{display:flex;flex-wrap:wrap;align-items:center;gap:.15rem .8rem;margin-top:.1rem;font-size:.82rem;color:var(--dim)}
.marks:empty{display:none}
.mark.is-new{color:var(--link);font-weight:600}
.mark.fails{padding:0 .5em;border:1px solid var(--bad-line);border-radius:5px;background:var(--bad-tint);color:var(--bad);font-weight:600}
.description{margin-top:.5rem}
blockquote{margin-top:.6rem;padding-left:.8rem;border-left:2px solid var(--line);color:var(--dim);white-space:pre-line}
mark{background:var(--mark);color:var(--ink);padding:.05em .2em;border-radius:3px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
.fix{margin-top:.8rem}
.fix .label{font-size:.8rem;font-weight:600;color:var(--dim)}
.copy{margin-top:.2rem;padding:.6rem .8rem;border-radius:8px;background:var(--tint);-webkit-user-select:all;user-select:all;white-space:pre-wrap;cursor:copy}
.copy.ways{white-space:normal}
.copy.ways ul{list-style:disc;padding-left:1.2rem}
.copy.ways ul+p{margin-top:.4rem}
pre{max-height:20rem;overflow:auto;white-space:pre-wrap}
.facts{display:flex;flex-wrap:wrap;gap:.15rem 1.5rem;margin-top:.75rem;font-size:.87rem}
.facts div{display:flex;gap:.5rem;min-width:0}
.facts dt{flex:none;color:var(--dim)}
.facts dd{min-width:0}
.evidence{margin-top:.5rem;font-size:.87rem}
.evidence>:not(summary){margin-top:.45rem}
.evidence pre{padding:.6rem .8rem;border-radius:8px;background:var(--tint)}
.evidence pre code{font-size:.93em}
.selector{color:var(--dim)}
.cause h4{margin-top:.9rem}
.places{margin-top:.3rem;max-height:26rem;overflow:auto;border:1px solid var(--line);border-radius:8px}
.place{display:flex;gap:.75rem;padding:.55rem .75rem;border-top:1px solid var(--line);font-size:.9rem;box-shadow:inset 0 0 0 var(--chosen,0) var(--link)}
.place:first-child{border-top:0}
.place>div{min-width:0;flex:1}
.place blockquote{margin-top:0;padding:0;border:0}
.elsewhere{padding:.9rem 1.25rem;border:1px dashed var(--edge);border-radius:12px}
.elsewhere h3{font-size:.87rem;color:var(--dim)}
.elsewhere li{display:flex;gap:.8rem;align-items:baseline;margin-top:.3rem;font-size:.93rem}
.elsewhere .severity{min-width:5rem}
@media (min-width:56.01rem){
.across .cause .body{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.08fr);column-gap:2rem;margin-top:.2rem}
.across .cause h4{margin-top:.5rem}}
@media (max-width:56rem){
.card{padding:.9rem 1rem .85rem}
.card .body{margin-left:0}}`;
