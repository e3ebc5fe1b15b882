/**
 * The script of the HTML report: filters by status and words, addresses of single findings, and buttons that copy.
 * Without it everything is shown, and nothing is lost.
 *
 * @module
 */

/** Opens what the address names, everything before printing, and puts a button that copies over every text. */
export const commonScript = `
'use strict';
function open(element) {
  for (let each = element; each !== null; each = each.parentElement) {
    if (each.tagName === 'DETAILS') each.open = true;
    if (each.hidden) each.hidden = false;
  }
}
function openAddressed() {
  const addressed = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (addressed === null || addressed.id === '') return;
  open(addressed);
  addressed.scrollIntoView();
}
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}
function copyButton(label, name, text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = label;
  button.ariaLabel = name;
  button.addEventListener('click', async () => {
    await copy(text());
    button.textContent = 'copied';
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}
for (const figure of document.querySelectorAll('figure')) {
  const title = figure.querySelector('figcaption');
  title.append(copyButton('copy', 'copy: ' + title.textContent, () => figure.querySelector('pre').textContent));
}
addEventListener('hashchange', openAddressed);
addEventListener('beforeprint', () => { for (const each of document.querySelectorAll('details')) each.open = true; });
`

export const pageScript = `${commonScript}
const form = document.getElementById('filters');
const find = document.getElementById('find');
const buttons = [...form.querySelectorAll('button')];
const findings = [...document.querySelectorAll('li[data-status]')];
const areas = [...document.querySelectorAll('section.area')];
const contents = new Map(findings.map((each) => [each, each.textContent.toLowerCase()]));

function show() {
  const pressed = new Set(buttons.filter((each) => each.ariaPressed === 'true').map((each) => each.dataset.status));
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const each of findings)
    each.hidden = !pressed.has(each.dataset.status) || !words.every((word) => contents.get(each).includes(word));
  for (const area of areas) area.hidden = !area.querySelector('li[data-status]:not([hidden])');
  document.getElementById('nothing').hidden = findings.some((each) => !each.hidden);
}
for (const each of buttons)
  each.addEventListener('click', () => {
    each.ariaPressed = String(each.ariaPressed !== 'true');
    show();
  });
find.addEventListener('input', show);
form.addEventListener('submit', (event) => event.preventDefault());
for (const each of document.querySelectorAll('details.finding')) {
  const summary = each.querySelector('summary');
  summary.addEventListener('click', () => history.replaceState(null, '', '#' + each.id));
  const tools = document.createElement('p');
  tools.className = 'tools';
  tools.append(
    copyButton('copy link', 'copy the link to ' + each.id, () => location.href.split('#')[0] + '#' + each.id),
    copyButton('copy as text', 'copy ' + each.id + ' as text', () => [...each.querySelectorAll('summary code, summary small, .fact, .body > p:not(.tools), figure')].map((part) => part.tagName === 'FIGURE' ? part.querySelector('figcaption').firstChild.textContent + ':\\n' + part.querySelector('pre').textContent : part.textContent).join('\\n')),
  );
  each.querySelector('.body').append(tools);
}
form.hidden = false;
show();
openAddressed();
`
