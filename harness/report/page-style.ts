/**
 * The style of the HTML report.
 *
 * @module
 */

export const pageStyle = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1b1f24, #e6e8eb);
  --soft: light-dark(#57606a, #a3abb5);
  --paper: light-dark(#ffffff, #14171a);
  --panel: light-dark(#f5f6f8, #1e2227);
  --line: light-dark(#d5d9de, #363c43);
  --good: light-dark(#14692b, #6fd08c);
  --bad: light-dark(#a81c1c, #ff8f8a);
  --wary: light-dark(#7a5200, #e8bb5c);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
h4 { margin: 1rem 0 .25rem; font-size: .9rem; }
header { border-inline-start: .4rem solid var(--wary); padding-inline-start: 1rem; }
header.conformant { border-color: var(--good); }
header.non-conformant { border-color: var(--bad); }
.outcome { font-weight: normal; color: var(--soft); }
.verdict { list-style: none; margin: 0; padding: 0; font-weight: 600; }
dl { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .75rem 0 0; font-size: .9rem; }
dl div { display: flex; gap: .4rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
#filters { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line); z-index: 1; }
#filters[hidden] { display: none; }
#filters div { display: flex; flex-wrap: wrap; gap: .4rem; }
button, input { font: inherit; font-size: .9rem; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; padding: .2rem .6rem; }
button { cursor: pointer; }
button[aria-pressed="true"] { background: var(--ink); color: var(--paper); border-color: var(--ink); }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
input { width: 14rem; max-width: 100%; }
.area > details { border-bottom: 1px solid var(--line); scroll-margin-top: 4rem; }
.area > details > summary { padding: .35rem 0; cursor: pointer; overflow-wrap: anywhere; }
.area > details[open] { padding-bottom: .75rem; }
small, .cost, figcaption { color: var(--soft); font-size: .85rem; }
.status { display: inline-block; min-width: 6.5rem; font-weight: 600; }
.status.pass { color: var(--good); }
.status.fail { color: var(--bad); }
.status.warn, .status.blocked, .status.untestable { color: var(--wary); }
.fact { font-weight: 600; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
li { overflow-wrap: anywhere; }
figure { margin: .5rem 0; }
pre { margin: 0; padding: .6rem; background: var(--panel); border-radius: .4rem; max-height: 30rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
@media print { #filters { display: none; } pre { max-height: none; } }
`
