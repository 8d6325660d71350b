// Style of the sample explorer and of the short sample list.

export const explorerStyles = `
.static-samples details{border-bottom:1px solid var(--line);margin:0;padding:.2rem 0}
.static-samples summary{color:var(--ink);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.js .static-samples{display:none}
.dot{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:4px;background:var(--muted);flex:none}
.dot.right{background:var(--good)}
.dot.wrong{background:none;border:2.5px solid var(--bad)}
.dot.invalid{background:linear-gradient(135deg,var(--warn) 50%,transparent 50%);border:1.5px solid var(--warn)}
.dot.error{background:var(--bad);border-radius:2px}
.filters{display:flex;flex-wrap:wrap;gap:10px 14px;align-items:end;margin:.6rem 0}
.filters label{display:grid;gap:2px;font-size:.8rem;color:var(--muted);min-width:0}
.filters .check{display:flex;gap:7px;align-items:center;padding:.42rem 0;font-size:.9rem;color:var(--ink)}
.filters .search{flex:1 1 220px}
.filters input[type=search],.filters select{font:inherit;font-size:.92rem;color:var(--ink);background:var(--bg);border:1px solid var(--muted);border-radius:8px;padding:.4rem .6rem;max-width:230px;min-height:36px}
.filters input[type=search]{max-width:none;width:100%}
.count{color:var(--muted);font-size:.85rem;margin:.4rem 0}
.panes{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.15fr);gap:18px;align-items:start}
.list{height:640px;overflow-y:auto;border:1px solid var(--line);border-radius:10px;position:relative;contain:strict}
.option{position:absolute;top:0;left:0;right:0;height:52px;padding:7px 14px;border-bottom:1px solid var(--line);cursor:pointer;overflow:hidden;display:grid;grid-template-columns:auto minmax(0,1fr);gap:2px 10px;align-items:center}
.option .dots{display:flex;max-width:96px;overflow:hidden}
.option .question{white-space:nowrap;overflow:hidden;text-overflow:ellipsis;font-size:.9rem}
.option .facts{grid-column:2;color:var(--muted);font-size:.78rem;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.option:hover{background:var(--raised)}
.option[aria-selected=true]{background:var(--accent-bg)}
.option[aria-selected=true] .facts{color:var(--ink)}
.detail{height:640px;overflow-y:auto;padding:2px 4px 2px 2px}
.detail h3{margin:1.1rem 0 .3rem;font-size:.95rem}
.detail h3:first-child{margin-top:0}
.answer{border-top:1px solid var(--line);padding:.55rem 0}
.answer p{margin:.25rem 0}
.answer .fields{display:grid;grid-template-columns:auto minmax(0,1fr);gap:1px 14px;font-size:.875rem;margin:.4rem 0}
.answer .fields dt{color:var(--muted)}
.answer .fields dd{margin:0;overflow-wrap:anywhere}
.choices{width:auto;font-size:.84rem}
.choices td,.choices th{padding:.2rem .7rem}
@media (max-width:820px){.panes{grid-template-columns:minmax(0,1fr)}.list{height:380px}.detail{height:auto;max-height:none}}
`;
