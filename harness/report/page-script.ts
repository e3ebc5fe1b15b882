/**
 * The script of the HTML report: filters by status and words, and addresses of single findings. Without it everything is
 * shown, and nothing is lost.
 *
 * @module
 */

export const pageScript = `
'use strict';
const form = document.getElementById('filters');
const find = document.getElementById('find');
const buttons = [...form.querySelectorAll('button')];
const findings = [...document.querySelectorAll('details[data-status]')];
const areas = [...document.querySelectorAll('section.area')];
const texts = new Map(findings.map((each) => [each, each.textContent.toLowerCase()]));

function show() {
  const pressed = new Set(buttons.filter((each) => each.ariaPressed === 'true').map((each) => each.dataset.status));
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const each of findings)
    each.hidden = !pressed.has(each.dataset.status) || !words.every((word) => texts.get(each).includes(word));
  for (const area of areas) area.hidden = !area.querySelector('details[data-status]:not([hidden])');
  document.getElementById('nothing').hidden = findings.some((each) => !each.hidden);
}

function openAddressed() {
  const addressed = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (addressed === null || !addressed.matches('details[data-status]')) return;
  addressed.hidden = false;
  addressed.closest('section').hidden = false;
  addressed.open = true;
  addressed.scrollIntoView();
}

const urgent = buttons.filter((each) => !['pass', 'observed', 'not-applicable'].includes(each.dataset.status));
if (urgent.length > 0) for (const each of buttons) each.ariaPressed = String(urgent.includes(each));
for (const each of buttons)
  each.addEventListener('click', () => {
    each.ariaPressed = String(each.ariaPressed !== 'true');
    show();
  });
find.addEventListener('input', show);
form.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', openAddressed);
addEventListener('beforeprint', () => { for (const each of findings) if (!each.hidden) each.open = true; });
for (const each of findings)
  each.querySelector('summary').addEventListener('click', () => history.replaceState(null, '', '#' + each.id));
form.hidden = false;
show();
openAddressed();
`
