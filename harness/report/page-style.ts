/**
 * The style of our HTML pages.
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
  --link: light-dark(#0b57b0, #86b7ff);
  --good: light-dark(#14692b, #6fd08c);
  --bad: light-dark(#a81c1c, #ff8f8a);
  --wary: light-dark(#7a5200, #e8bb5c);
  --held: light-dark(#7a3a94, #d59bf0);
  --other: light-dark(#0f5f8c, #7cc0ec);
  --unmet: light-dark(#5f6872, #9aa4af);
  --none: light-dark(#b9c0c8, #4b535c);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
h4 { margin: 1rem 0 .25rem; font-size: .9rem; }
a { color: var(--link); }
header { border-inline-start: .4rem solid var(--wary); padding-inline-start: 1rem; }
header.conformant { border-color: var(--good); }
header.non-conformant { border-color: var(--bad); }
.outcome { display: inline-block; padding: 0 .6rem; border-radius: .4rem; font-size: 1rem; font-weight: 600; color: var(--paper); background: var(--wary); vertical-align: middle; }
.conformant .outcome { background: var(--good); }
.non-conformant .outcome { background: var(--bad); }
.verdict { list-style: none; margin: 0 0 .75rem; padding: 0; font-weight: 600; }
dl { display: flex; flex-wrap: wrap; gap: .1rem 1.5rem; margin: .5rem 0 0; font-size: .9rem; }
dl div { display: flex; gap: .4rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
nav ul, .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 1rem 0 0; padding: 0; font-size: .9rem; }
.legend { margin: .4rem 0 0; }
.key { width: .8em; height: .8em; }
.bar { display: block; width: 100%; height: .9rem; border-radius: .25rem; background: var(--panel); }
rect { fill: var(--none); }
rect.pass { fill: var(--good); }
rect.fail { fill: var(--bad); }
rect.warn { fill: var(--wary); }
rect.blocked { fill: var(--held); }
rect.untestable { fill: var(--unmet); }
rect.observed { fill: var(--other); }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; }
form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line); z-index: 2; }
[hidden] { display: none !important; }
form div { display: flex; flex-wrap: wrap; gap: .4rem; }
button, input, select { font: inherit; font-size: .9rem; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; padding: .2rem .6rem; }
button { cursor: pointer; }
button[aria-pressed="true"] { background: var(--ink); color: var(--paper); border-color: var(--ink); }
.copy { font-size: .8rem; padding: 0 .5rem; margin-inline-start: .5rem; }
.tools { text-align: end; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
input[type="search"] { width: 16rem; max-width: 100%; }
.finding { border: 1px solid var(--line); border-inline-start: .3rem solid var(--wary); border-radius: .4rem; margin: .6rem 0; scroll-margin-top: 1rem; }
.finding.fail { border-inline-start-color: var(--bad); }
.finding > summary { padding: .5rem .75rem; overflow-wrap: anywhere; }
.finding > .body { padding: 0 .75rem .5rem; border-top: 1px solid var(--line); }
summary { cursor: pointer; }
.fact { display: block; font-weight: 600; white-space: pre-line; }
.difference { display: block; font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.difference + .difference { color: var(--soft); }
.first { font-weight: 600; font-size: 1.05rem; }
.statement, small, .cost, .next, figcaption { color: var(--soft); }
small, .cost, .next, figcaption { font-size: .85rem; }
.status { font-weight: 600; color: var(--soft); }
.status.pass { color: var(--good); }
.status.fail { color: var(--bad); }
.status.warn { color: var(--wary); }
.status.blocked { color: var(--held); }
.status.untestable { color: var(--unmet); }
.status.observed { color: var(--other); }
.area ul { list-style: none; margin: 0; padding: 0; }
.area li { padding: .3rem 0; border-bottom: 1px solid var(--line); scroll-margin-top: 7rem; }
.area li .status { display: inline-block; min-width: 6.5rem; }
.area li p { margin: 0 0 0 6.75rem; color: var(--soft); font-size: .9rem; }
:target { outline: 2px solid var(--link); outline-offset: 2px; }
section:target { outline: none; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
li { overflow-wrap: anywhere; }
figure { margin: .5rem 0; }
pre { margin: 0; padding: .6rem; background: var(--panel); border-radius: .4rem; max-height: 30rem; overflow: auto; white-space: pre-wrap; }
.scroll { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
.tallies { width: 100%; }
.tallies .number { width: 1%; text-align: end; }
.tallies .picture { width: 50%; min-width: 12rem; }
.tallies small { display: block; }
@media (max-width: 40rem) {
  body { padding: .75rem; }
  form { position: static; }
  .area li p { margin-inline-start: 0; }
  .tallies .number { display: none; }
}
@media print {
  nav, form, .copy { display: none; }
  pre { max-height: none; }
  .finding { break-inside: avoid-page; }
  body { max-width: none; }
}
`
