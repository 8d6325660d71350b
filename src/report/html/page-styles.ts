// Style of the page: one calm column, two colour schemes, phone and paper.
import { chartThemeVariables, darkChartTheme, lightChartTheme } from '../charts/chart-theme.ts';
import { explorerStyles } from './explorer-styles.ts';

const light = `--bg:#fefefe;--raised:#f5f7fa;--line:#dde3ea;--ink:#1b2430;--muted:#566172;--link:#0a5f9c;--good:#0b6b45;--good-bg:#e2f3ea;--bad:#a3321f;--bad-bg:#fbe9e5;--warn:#7a5200;--warn-bg:#fdf3dc;--accent:#0b66a3;--accent-bg:#e6f1f9;--heat-1:#e9f1f8;--heat-2:#c9dff0;--heat-3:#8fbfe2;--heat-4:#2470a6;--heat-5:#0b5a94;--heat-ink:#fff;${chartThemeVariables(lightChartTheme)}`;
const dark = `--bg:#151b22;--raised:#1c242d;--line:#2d3641;--ink:#e7ecf2;--muted:#a4afbe;--link:#76c2f5;--good:#6fd7a6;--good-bg:#16352a;--bad:#ff9d8a;--bad-bg:#43211c;--warn:#f0c869;--warn-bg:#3a2e12;--accent:#4fb3ee;--accent-bg:#173349;--heat-1:#1c2d3c;--heat-2:#1f435e;--heat-3:#245d86;--heat-4:#9fd2f5;--heat-5:#c9e6fb;--heat-ink:#0d1a24;${chartThemeVariables(darkChartTheme)}`;

const base = `
*,*::before,*::after{box-sizing:border-box}
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}
:root[data-theme=dark]{${dark};color-scheme:dark}
:root[data-theme=light]{color-scheme:light}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0 auto;max-width:1340px;padding:0 28px 64px;background:var(--bg);color:var(--ink);font:15px/1.55 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",Arial,sans-serif;font-feature-settings:"tnum","cv05";overflow-wrap:break-word}
h1,h2,h3{line-height:1.2;letter-spacing:-.012em;text-wrap:balance}
h1{font-size:clamp(1.75rem,4.2vw,2.7rem);font-weight:650;margin:.15em 0 .4em}
h1 em{font-style:normal;color:var(--accent)}
h2{font-size:1.45rem;font-weight:650;margin:3rem 0 1rem}
h3{font-size:1.1rem;font-weight:650;margin:2.2rem 0 .4rem}
a{color:var(--link)}
code,pre{font:13px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem;margin:.5rem 0;max-height:28rem;overflow:auto}
small{font-size:.82em;color:var(--muted);white-space:nowrap}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-999px;top:0;background:var(--bg);padding:.6rem 1rem;z-index:9}
.skip:focus{left:8px}
.note{color:var(--muted);font-size:.875rem;max-width:86ch}
.masthead{padding:3.2rem 0 1.4rem}
.eyebrow{color:var(--muted);font-size:.85rem;margin:0}
.lede{font-size:1.08rem;max-width:72ch;margin:.35rem 0;text-wrap:pretty}
.alternatives{display:flex;flex-wrap:wrap;gap:10px 34px;margin:1.5rem 0 0}
.alternatives dt,.card dt{color:var(--muted);font-size:.8rem}
.alternatives dd,.card dd{margin:0}
.alternatives strong{display:block;font-weight:620}
.alternatives dd span{font-size:.875rem;color:var(--muted)}
.cautions{list-style:none;margin:1.5rem 0 0;padding:.7rem 1rem;background:var(--warn-bg);color:var(--warn);border-radius:8px;font-size:.92rem}
nav{position:sticky;top:0;z-index:5;display:flex;flex-wrap:wrap;gap:4px 22px;align-items:center;padding:.7rem 0;background:var(--bg);border-bottom:1px solid var(--line)}
nav a{text-decoration:none;color:var(--muted);font-size:.92rem;padding:2px 0}
nav a:hover{color:var(--ink)}
#theme{margin-left:auto;font-size:1.1rem;line-height:1;padding:.3rem .5rem;border:1px solid var(--line);border-radius:8px;background:none;color:var(--muted);cursor:pointer}
section[id]{scroll-margin-top:60px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;margin:0 0 1.4rem}
.card{background:var(--raised);border-radius:10px;padding:.8rem 1rem}
.card strong{display:block;font-size:1.02rem;font-weight:640;overflow-wrap:anywhere;line-height:1.3;margin:.1rem 0}
.card dd span{font-size:.85rem;color:var(--muted)}
footer{margin-top:4rem;color:var(--muted);font-size:.85rem}
details{margin:.6rem 0}
summary{cursor:pointer;color:var(--link);padding:.25rem 0}
.warnings{background:var(--warn-bg);border-radius:8px;padding:.35rem 1rem}
.warnings summary,.warnings li{color:var(--warn)}
.warnings li{font-size:.9rem}
`;

const tables = `
.scroll{overflow-x:auto;margin:.8rem 0;position:relative}
table{border-collapse:collapse;width:100%;font-size:.86rem;line-height:1.35}
caption{text-align:left;color:var(--muted);font-size:.8rem;padding:0 0 .35rem}
th,td{padding:.48rem .45rem;text-align:left;vertical-align:middle;border-bottom:1px solid var(--line)}
thead th{font-weight:560;color:var(--muted);font-size:.8rem;vertical-align:bottom;border-bottom-color:var(--muted);white-space:nowrap}
tbody th{font-weight:540;white-space:nowrap}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody tr:hover>*{background:var(--raised)}
th button{all:unset;cursor:pointer;color:inherit}
th button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
th button::after{content:"";display:inline-block;width:.9em;text-align:right}
th[aria-sort=ascending] button::after{content:"↑"}
th[aria-sort=descending] button::after{content:"↓"}
tr.best>*{font-weight:640}
td.number small{display:block}
td.words{min-width:17rem}
td .some small{display:inline}
.is-best{font-weight:700}
.is-tied{text-decoration:underline;text-decoration-color:var(--accent);text-decoration-thickness:2px;text-underline-offset:3px}
.is-tied small{text-decoration:none;display:inline-block}
.key{padding:0 .1em}
.mark{font-size:.75rem;font-weight:560;padding:.05rem .42rem;border-radius:99px;background:var(--accent-bg);color:var(--link);white-space:nowrap}
.score{display:flex;gap:10px;align-items:center;white-space:nowrap;font-variant-numeric:tabular-nums}
.interval{flex:none}
.interval .track{stroke:var(--line);stroke-width:2}
.interval .range{stroke:var(--chart-behind);stroke-width:9;stroke-linecap:butt;opacity:.45}
.interval .dot{fill:var(--chart-behind)}
.interval.best .range{stroke:var(--accent)}
.interval.best .dot{fill:var(--accent)}
.interval.tied .range{stroke:var(--chart-tied)}
.interval.tied .dot{fill:var(--accent)}
.none{color:var(--muted)}
.some{color:var(--bad)}
.some small{color:inherit}
.confusion td{text-align:center;min-width:4.2em;font-variant-numeric:tabular-nums;border:2px solid var(--bg)}
.confusion th{border:0}
.confusion{width:auto}
.confusion thead th{text-align:center}
tbody tr:hover>[class^=heat]{outline:0}
.confusion .heat-0,.confusion tr:hover .heat-0{background:var(--raised);color:var(--muted)}
.confusion .heat-1,.confusion tr:hover .heat-1{background:var(--heat-1)}
.confusion .heat-2,.confusion tr:hover .heat-2{background:var(--heat-2)}
.confusion .heat-3,.confusion tr:hover .heat-3{background:var(--heat-3)}
.confusion .heat-4,.confusion tr:hover .heat-4{background:var(--heat-4);color:var(--heat-ink)}
.confusion .heat-5,.confusion tr:hover .heat-5{background:var(--heat-5);color:var(--heat-ink)}
.side-by-side{display:flex;flex-wrap:wrap;gap:0 40px;align-items:flex-start}
.side-by-side>*{flex:0 1 auto;min-width:0;max-width:100%}
.verdict{font-size:.78rem;font-weight:560;padding:.08rem .45rem;border-radius:99px;white-space:nowrap}
.verdict.valid,.verdict.right{background:var(--good-bg);color:var(--good)}
.verdict.suspect,.verdict.invalid{background:var(--warn-bg);color:var(--warn)}
.verdict.wrong,.verdict.error{background:var(--bad-bg);color:var(--bad)}
.verdict.skipped{background:var(--raised);color:var(--muted)}
.chart{margin:0 0 2.2rem}
.chart .canvas{overflow-x:auto;border-radius:8px}
.chart svg{display:block;width:100%;height:auto;min-width:640px;font-family:inherit}
.figures{display:flex;flex-wrap:wrap;gap:0 24px}
.figures .chart{flex:1 1 100%;min-width:0}
.figures .chart.small{flex:1 1 320px;max-width:440px}
.chart.small svg{min-width:0}
`;

const narrow = `
@media (max-width:640px){
body{padding:0 16px 48px;font-size:14.5px}
.masthead{padding-top:1.8rem}
h2{margin-top:2.2rem}
nav{gap:2px 16px}
th,td{padding:.42rem .55rem}
.interval{display:none}
}
`;

const paper = `
@media print{
:root,:root[data-theme=dark],:root:not([data-theme=light]){${light};color-scheme:light}
body{max-width:none;padding:0;font-size:10pt}
nav,.skip,.explorer,#theme{display:none!important}
.static-samples{display:block!important}
.scroll,.chart .canvas{overflow:visible}
table{font-size:8pt}
th,td{padding:.2rem .35rem}
figure,tr,.card,pre{break-inside:avoid}
h2,h3,caption{break-after:avoid}
.chart svg{min-width:0;max-width:100%}
details>summary{list-style:none}
details::details-content{content-visibility:visible;block-size:auto}
pre{max-height:none}
}
`;

export const pageStyles = [base, tables, explorerStyles, narrow, paper].join('').replaceAll('\n', '');
