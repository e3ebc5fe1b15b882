/**
 * Elements from code. Strings become text nodes: nothing that a record holds can become markup.
 */

/**
 * @param {string} tag `div`, or with classes `p.soft.hint`
 * @param {Record<string, unknown>} attributes `on…` are listeners, booleans are attributes without a value
 * @param {...unknown} children elements, strings, lists of both; null, undefined and false are left out
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.')
  const element = document.createElement(name)
  if (classes.length > 0) element.className = classes.join(' ')
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (key === 'value') element.value = value
    else if (key === 'checked') element.checked = value
    else element.setAttribute(key, value === true ? '' : String(value))
  }
  append(element, children)
  return element
}

export function append(element, children) {
  for (const child of children.flat(Number.POSITIVE_INFINITY)) {
    if (child === undefined || child === null || child === false) continue
    element.append(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

export function fill(element, ...children) {
  element.replaceChildren()
  append(element, children)
}

/** Replaces the content. The focus stays on the element with the same `data-keep`. */
export function refill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.keep : undefined
  fill(element, ...children)
  if (focused !== undefined) element.querySelector(`[data-keep="${CSS.escape(focused)}"]`)?.focus()
}

/** Where what had the focus is gone, so that the next Tab does not start at the top of the page. */
export function focusOn(element) {
  element.setAttribute('tabindex', '-1')
  element.focus({ preventScroll: true })
}

let nextId = 1

/** An input with its label and a hint next to it. */
export function field(label, input, hint) {
  const id = `field-${nextId++}`
  input.id = id
  if (hint) input.setAttribute('aria-describedby', `${id}-hint`)
  return h(
    'div.field',
    {},
    h('div.label', {}, h('label', { for: id }, label), hint && h('span.hint', { id: `${id}-hint` }, hint)),
    input,
  )
}

export function checkbox(label, value, checked = false, onchange) {
  const input = h('input', { type: 'checkbox', value, checked, onchange })
  return { input, label: h('label', {}, input, ' ', label) }
}

/** A table that scrolls sideways by keyboard, too. */
export function grid(caption, heads, rows) {
  return h(
    'div.scroll',
    { tabindex: '0', role: 'region', 'aria-label': caption },
    h(
      'table',
      {},
      h('caption.hidden', {}, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          heads.map((head) => (head instanceof Node ? head : h('th', { scope: 'col' }, head))),
        ),
      ),
      h('tbody', {}, rows),
    ),
  )
}

export function facts(pairs) {
  return h(
    'dl',
    {},
    pairs
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  )
}

/** Says something at the foot of the page, and to those who listen. */
export function toast(text) {
  const element = document.getElementById('toast')
  element.textContent = text
  clearTimeout(toast.timer)
  toast.timer = setTimeout(() => {
    element.textContent = ''
  }, 4000)
}

export function copyButton(text, label = 'Copy') {
  return h(
    'button.small',
    {
      type: 'button',
      async onclick() {
        try {
          await navigator.clipboard.writeText(text)
          toast('Copied')
        } catch {
          toast('The browser does not allow copying. Select the text instead.')
        }
      },
    },
    label,
  )
}

/** Asks before something is lost. @returns {Promise<boolean>} */
export function confirmed(question, action) {
  return new Promise((resolve) => {
    const dialog = h(
      'dialog',
      { 'aria-labelledby': 'question', onclose: () => finish(dialog.returnValue === 'yes') },
      h('p', { id: 'question' }, question),
      h(
        'form.row',
        { method: 'dialog' },
        h('button.danger', { value: 'yes' }, action),
        h('button', { value: 'no', autofocus: true }, 'Cancel'),
      ),
    )
    const finish = (answer) => {
      dialog.remove()
      resolve(answer)
    }
    document.body.append(dialog)
    dialog.showModal()
  })
}

export function json(value) {
  return h('pre', { tabindex: '0' }, JSON.stringify(value, null, 2))
}

const classes = {
  2: ['●', 'success'],
  3: ['→', 'redirect'],
  4: ['▲', 'client error'],
  5: ['■', 'server error'],
}

/** A status, with a shape and a color for its class. */
export function status(code) {
  const first = Math.floor(code / 100)
  const [shape, name] = classes[first] ?? ['✕', 'no response']
  return h(
    `span.status.s${first}`,
    { title: name },
    h('span', { 'aria-hidden': 'true' }, shape),
    ` ${code || 'dropped'}`,
  )
}

/** An address as people write it. */
export function readable(path) {
  try {
    return decodeURI(path).replaceAll('%27', "'")
  } catch {
    return path
  }
}

/** A date in the reader's form, exact in its title. */
export function time(moment, form = { timeStyle: 'medium' }) {
  const date = new Date(moment)
  return h(
    'time',
    { datetime: date.toISOString(), title: date.toISOString() },
    date.toLocaleString(undefined, form),
  )
}
