/**
 * Style and script of the matrix page, in addition to what all our pages have.
 *
 * @module
 */

export const matrixStyle = `
body { max-width: 92rem; }
.tallies .picture { width: 75%; }
.matrix { width: 100%; max-width: 90rem; }
.matrix thead th { position: sticky; top: 0; background: var(--paper); z-index: 1; vertical-align: bottom; }
.matrix thead th + th { text-align: center; white-space: nowrap; }
form { position: static; }
.matrix td { text-align: center; font-weight: 700; min-width: 2.5rem; }
.matrix th[scope="row"] { font-weight: normal; width: 99%; }
.matrix th ul { margin: .25rem 0; padding-inline-start: 1.25rem; }
.matrix .heading th { background: var(--panel); font-weight: 600; }
.matrix tr { scroll-margin-top: 3rem; }
abbr { text-decoration: none; cursor: help; }
td.pass { color: var(--good); }
td.fail { color: var(--bad); background: color-mix(in srgb, var(--bad) 14%, transparent); }
td.warn { color: var(--wary); background: color-mix(in srgb, var(--wary) 14%, transparent); }
td.blocked { color: var(--held); background: color-mix(in srgb, var(--held) 14%, transparent); }
td.untestable { color: var(--unmet); background: color-mix(in srgb, var(--unmet) 14%, transparent); }
td.observed { color: var(--other); }
td.not-applicable { color: var(--soft); }
@media (max-width: 40rem) {
  .matrix th, .matrix td { padding: .25rem .15rem; }
  .matrix thead th + th { font-size: .7rem; writing-mode: vertical-rl; }
  .matrix td { min-width: 1.4rem; }
}
`

export const matrixScript = `
'use strict';
const form = document.getElementById('filters');
const [section, differing, document_, find, count] = ['section', 'differing', 'document', 'find', 'count'].map((id) => document.getElementById(id));
const bodies = [...document.querySelectorAll('tbody[data-section]')];
const rows = [...document.querySelectorAll('.matrix tr[id]')];
const contents = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));

function show() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const wanted = (section.value === '' || row.parentElement.dataset.section === section.value)
      && (!differing.checked || 'differs' in row.dataset)
      && (!document_.checked || !('profile' in row.dataset))
      && words.every((word) => contents.get(row).includes(word));
    row.hidden = !wanted;
    if (wanted) shown += 1;
  }
  for (const body of bodies) body.hidden = !body.querySelector('tr[id]:not([hidden])');
  count.textContent = shown + ' of ' + rows.length;
  const query = new URLSearchParams();
  if (section.value !== '') query.set('section', section.value);
  if (differing.checked) query.set('differing', '');
  if (document_.checked) query.set('document', '');
  if (find.value !== '') query.set('find', find.value);
  history.replaceState(null, '', location.pathname + (query.size > 0 ? '?' + query : '') + location.hash);
}
function openAddressed() {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (row === null || !row.matches('tr')) return;
  row.hidden = false;
  row.parentElement.hidden = false;
  row.querySelector('details').open = true;
  row.scrollIntoView();
}
const asked = new URLSearchParams(location.search);
section.value = asked.get('section') ?? '';
if (section.selectedIndex < 0) section.value = '';
differing.checked = asked.has('differing');
document_.checked = asked.has('document');
find.value = asked.get('find') ?? '';
for (const each of [section, differing, document_, find]) each.addEventListener('input', show);
form.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', openAddressed);
for (const row of rows)
  row.querySelector('summary').addEventListener('click', () => history.replaceState(null, '', location.pathname + location.search + '#' + row.id));
form.hidden = false;
show();
openAddressed();
`
