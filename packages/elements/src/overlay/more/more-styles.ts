/** The list, cards, and the composer. */
export const moreStyles = `
[popover]{inset:0 auto auto 0;margin:0;padding:0;border:0;background:none;color:var(--_ink);overflow:visible}
p,h2,h3,ul{margin:0;padding:0}
ul{list-style:none}
.box{position:fixed;inline-size:min(340px,calc(100vw - 16px));max-block-size:min(70vh,560px);overflow:auto;
padding:12px;border:1px solid var(--_line-strong);border-radius:var(--_radius-large);background:var(--_surface);
box-shadow:var(--_shadow);overflow-wrap:anywhere;text-align:start}
.card:focus{outline:none}
.panel{translate:none}
.panel.bottom-right{inset:auto 16px 60px auto}.panel.bottom-left{inset:auto auto 60px 16px}
.panel.top-right{inset:60px 16px auto auto}.panel.top-left{inset:60px auto auto 16px}
.note{position:fixed;padding:8px 12px;max-inline-size:280px;border-radius:var(--_radius);background:var(--_bad-tint);
color:var(--_bad);box-shadow:var(--_shadow)}
.note.bottom-right{inset:auto 16px 60px auto}.note.bottom-left{inset:auto auto 60px 16px}
.note.top-right{inset:60px 16px auto auto}.note.top-left{inset:60px auto auto 16px}
.row{display:flex;align-items:center;gap:8px;flex-wrap:wrap}
.row.head{gap:4px;flex-wrap:nowrap;margin-block-end:8px}
.grow,.head .kind{flex:1}
h2{font-size:var(--_size-large);font-weight:600;margin-block-end:4px}
h3{font-size:var(--_size-small);font-weight:600;margin-block:12px 4px}
.dim{color:var(--_dim);font-size:var(--_size-small);font-weight:400}
.row .dim{flex:1}
.kind{color:var(--k,var(--_dim));font-size:var(--_size-small);font-weight:600}
.button{min-block-size:30px;padding:3px 10px;border:1px solid var(--_line-strong);border-radius:var(--_radius);
background:var(--_surface);font-size:var(--_size-small);font-weight:500}
.button:hover{background:var(--_tint)}
.button.primary{border-color:transparent;background:var(--_accent-fill);color:var(--_on-fill)}
.button.primary:hover{filter:brightness(1.08)}
.icon{display:grid;place-items:center;inline-size:28px;block-size:28px;padding:0;border:0;border-radius:var(--_radius);
background:none;color:var(--_dim);font-size:18px;line-height:1}
.icon:hover{background:var(--_tint);color:var(--_ink)}
.turns:dir(rtl){transform:scaleX(-1)}
.entry{display:flex;align-items:center;gap:8px;inline-size:100%;min-block-size:32px;padding:4px 6px;border:0;
border-radius:var(--_radius);background:none;text-align:start}
.entry:hover{background:var(--_tint)}
.entry .title{flex:1;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.entry .face{color:var(--_on-fill);font-size:11px;font-weight:700;box-shadow:none}
.entry.k-info .face{color:var(--fill);box-shadow:inset 0 0 0 1.5px var(--fill)}
.comments{display:grid;gap:10px;margin-block-end:10px}
.said{white-space:pre-wrap}
.files{display:flex;flex-wrap:wrap;gap:4px 10px;margin-block-start:4px;font-size:var(--_size-small)}
.files li{display:flex;align-items:center;gap:4px}
.files a{color:var(--_link)}
.files img{display:block;max-inline-size:100%;max-block-size:160px;border:1px solid var(--_line);border-radius:var(--_radius)}
.about{margin-block-end:6px;color:var(--_dim);font-size:var(--_size-small)}
textarea{display:block;inline-size:100%;min-block-size:60px;margin-block-end:8px;padding:6px 8px;resize:vertical;
border:1px solid var(--_edge);border-radius:var(--_radius);background:var(--_surface);color:var(--_ink);font:inherit}
.notice{margin-block:6px;padding:6px 10px;border-radius:var(--_radius);background:var(--_warn-tint);color:var(--_warn);
font-size:var(--_size-small)}
.problem{margin-block:6px;padding:6px 10px;border-radius:var(--_radius);background:var(--_bad-tint);color:var(--_bad);
font-size:var(--_size-small)}
.aim{position:fixed;pointer-events:none;border-radius:3px;background:color-mix(in srgb,var(--_accent-fill) 10%,transparent);
box-shadow:0 0 0 2px var(--_accent-fill),0 0 0 4px #fffc}
.hint{position:fixed;inset:12px 0 auto 0;inline-size:fit-content;max-inline-size:calc(100vw - 32px);margin-inline:auto;
padding:6px 8px 6px 14px;border-radius:18px;background:#24211e;color:#fff;box-shadow:var(--_shadow)}
.hint:not(.decided){pointer-events:none}
.hint .button{pointer-events:auto;margin-inline-start:8px;background:#fff2;border-color:#fff4;color:#fff}
.decided{display:flex;align-items:center;gap:8px;inset:auto 0 16px 0}
.decided .title{overflow:hidden;max-inline-size:min(360px,60vw);text-overflow:ellipsis;white-space:nowrap}
@media(max-width:640px){.decided{inset:auto 0 64px 0}}
.crop{display:block;inline-size:100%;max-block-size:240px;margin-block:4px 10px;border:1px solid var(--_line-strong);
border-radius:var(--_radius);background:var(--_tint)}
.crop rect{fill:none;stroke:var(--_accent-fill);stroke-width:2px}
.reason label{display:block;margin-block-end:4px;font-weight:500}
.reason input{display:block;inline-size:100%;min-block-size:34px;margin-block-end:8px;padding:4px 8px;
border:1px solid var(--_edge);border-radius:var(--_radius);background:var(--_surface);color:var(--_ink);font:inherit}
@media(forced-colors:active){.aim{outline:2px solid Highlight}.button,.icon{border:1px solid ButtonText}}
`;
