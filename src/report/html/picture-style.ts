/**
 * Pictures with pins. Offsets within a picture are in hundredths of its width, which `cqw` is on the canvas. The scroll
 * margin of a pin is its distance from the top of the frame after the frame has scrolled to it, so that only the frame
 * scrolls and the list of findings stays where it is.
 */
export const pictureStyle = `
.picture{--frame:calc(100vh - 2rem);min-width:0}
.picture>summary{padding:.5rem 0}
.frame{overflow:auto;max-height:var(--frame);border:1px solid var(--line);border-radius:12px;background:var(--tint)}
.canvas{position:relative;container-type:inline-size;max-width:var(--wide);margin:0 auto;overflow:hidden}
.desktop .canvas{min-width:min(600px,var(--wide))}
.canvas img{position:absolute;display:block}
.pin{position:absolute;z-index:1;display:grid;place-items:center;height:20px;margin-top:4px;padding:0 3px;border-radius:4px 4px 4px 1px;background:var(--pin);color:#fff;font-size:11.5px;line-height:1;font-weight:700;text-decoration:none;font-variant-numeric:tabular-nums;forced-color-adjust:none;box-shadow:0 0 0 1px #fff,0 1px 4px rgb(0 0 0/.3);
--top:calc(var(--y)*1cqw);scroll-margin-top:calc(var(--top) - clamp(0px,var(--top) - 30vh,max(0px,var(--high)*1cqw - var(--frame))));scroll-margin-left:2rem}
.pin::before{content:"";position:absolute;z-index:-1;left:calc(var(--dx)*1cqw);top:calc(var(--dy)*1cqw - 4px);width:calc(var(--w)*1cqw);height:calc(var(--h)*1cqw);border-radius:2px;box-shadow:0 0 0 1.5px var(--pin);opacity:.75;pointer-events:none}
.pin:hover,.pin:focus-visible,.pin:target{z-index:3}
/* The space around a pin belongs to it, so that it is easy to hit. */
.pin::after{content:"";position:absolute;inset:-4px 0 0}
.pin:is(:hover,:focus-visible,:target)::before{opacity:1;box-shadow:0 0 0 2.5px var(--pin);background:color-mix(in srgb,var(--pin) 14%,transparent)}
.pin{outline:var(--chosen,0) solid var(--focus);outline-offset:2px}
.pin:focus-visible{outline:3px solid var(--focus);border-radius:5px}
@media (min-width:56.01rem){
.page.pictured{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.08fr);column-gap:2rem;align-items:start}
.page.of-mobile{grid-template-columns:minmax(0,1fr) 25rem}
.page>.page-head{grid-column:1/-1}
.page>.picture{position:sticky;top:1rem}
.page.short>.picture{--frame:min(100vh - 2rem,32rem)}
@supports selector(::details-content){
.page>.picture>summary{display:none}
.page>.picture::details-content{content-visibility:visible;display:block}}}
.rest .picture{max-width:44rem}
@media (max-width:56rem){
.page>.picture{grid-row:2;margin-bottom:1rem}
.page.pictured{display:flex;flex-direction:column}
.page.pictured>.list{order:2}
.picture{--frame:75vh}
.page>.picture>summary{margin-bottom:.5rem;padding:.45rem .8rem;border:1px solid var(--edge);border-radius:8px;color:var(--ink)}}`;
