/**
 * The script of a page. It only chooses which pieces to show: all texts and figures were written with the page. The
 * address has the state (`#at=12&tab=tools&from=3`), so that Back works and a link leads to a moment.
 */
export const PAGE_SCRIPT = `
'use strict'
const $ = (id) => document.getElementById(id)
const data = JSON.parse($('data').textContent)
const moments = new Map(data.moments.map((moment, index) => [moment.seq, { ...moment, index }]))
const tabs = [...document.querySelectorAll('nav a')].map((link) => link.hash.slice(1))
const links = [...document.querySelectorAll('#timeline a')]
const entries = links.map((link) => Number(link.dataset.seq))
const opened = new Map()
const pieces = new Map()
for (const piece of document.querySelectorAll('[data-is]')) pieces.set(piece.dataset.is, piece)
for (const piece of $('pieces').content.children) pieces.set(piece.dataset.is, piece)

function piece(number) {
  const found = pieces.get(String(number)) ?? $('left-out').content.firstElementChild
  return found.cloneNode(true)
}

function wrapped(kind, number) {
  const box = document.createElement('div')
  box.className = kind
  box.append(piece(number))
  return box
}

function state() {
  const asked = new URLSearchParams(location.hash.slice(1))
  const number = (name) => (/^\\d+$/.test(asked.get(name) ?? '') ? Number(asked.get(name)) : null)
  const has = (seq) => entries.includes(seq)
  const [at, from, tab] = [number('at'), number('from'), asked.get('tab')]
  return {
    at: has(at) ? at : entries.at(-1),
    from: has(from) ? from : null,
    tab: tabs.includes(tab) ? tab : tabs[0],
  }
}

function go(change, isStep) {
  const { at, from, tab } = { ...state(), ...change }
  const parts = at === entries.at(-1) ? [] : ['at=' + at]
  parts.push('tab=' + tab)
  if (from !== null) parts.push('from=' + from)
  const hash = '#' + parts.join('&')
  if (hash === location.hash) return
  history[isStep ? 'replaceState' : 'pushState'](null, '', hash)
  show()
}

function show() {
  const { at, from, tab } = state()
  for (const [index, link] of links.entries()) {
    const isCurrent = entries[index] === at
    link.toggleAttribute('data-mark', entries[index] === from)
    if (isCurrent === link.hasAttribute('aria-current')) continue
    if (!isCurrent) link.removeAttribute('aria-current')
    else {
      link.setAttribute('aria-current', 'true')
      link.scrollIntoView({ block: 'nearest' })
    }
  }
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash.slice(1) === tab) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
  for (const name of tabs) $(name).hidden = name !== tab
  const moment = moments.get(at)
  $('moment').textContent = at === entries.at(-1) ? 'now #' + at : 'moment #' + at + ' of #' + entries.at(-1)
  $('mark').textContent = from === at ? 'Remove the mark (d)' : 'Mark to compare (d)'
  $('header').replaceChildren(...(moment ? [piece(moment.header)] : []))
  fill($(tab).querySelector('.pieces'), shownPieces(tab, at, from, moment))
}

function shownPieces(tab, at, from, moment) {
  if (tab === 'entry') return [piece(data.entries[entries.indexOf(at)])]
  if (moment === undefined) return [piece(-1)]
  if (tab === 'difference') return difference(from, moment)
  const before = data.moments[moment.index - 1]
  const known = new Set(before ? data.lists[before[tab]] : data.lists[moment[tab]])
  return data.lists[moment[tab]].map((number) => (known.has(number) ? piece(number) : wrapped('fresh', number)))
}

function difference(from, moment) {
  const other = from === null || from === moment.seq ? data.moments[moment.index - 1] : moments.get(from)
  if (other === undefined) return [piece(-1)]
  const [before, after] = other.seq < moment.seq ? [other, moment] : [moment, other]
  const title = document.createElement('h3')
  title.textContent = 'From #' + before.seq + ' to #' + after.seq
  const old = versions(before)
  const now = versions(after)
  const changed = [...new Set([...now.keys(), ...old.keys()])].flatMap((key) => {
    const [a, b] = [old.get(key), now.get(key)]
    if (a === b) return []
    const lines = data.differences[a + ' ' + b]
    if (lines !== undefined) return [wrapped('changed', lines)]
    return [
      ...(a === undefined ? [] : [wrapped('removed', a)]),
      ...(b === undefined ? [] : [wrapped('added', b)]),
    ]
  })
  const heads = before.header === after.header ? [] : [wrapped('removed', before.header), wrapped('added', after.header)]
  const same = heads.length + changed.length === 0 ? [$('same').content.firstElementChild.cloneNode(true)] : []
  return [title, ...heads, ...changed, ...same]
}

function versions({ versions }) {
  return new Map(data.lists[versions].map((number) => [data.keys[number], number]))
}

function fill(panel, shown) {
  panel.replaceChildren(...shown)
  for (const details of panel.querySelectorAll('details')) {
    const isOpen = opened.get(details.dataset.key)
    if (isOpen !== undefined) details.open = isOpen
  }
}

document.addEventListener(
  'toggle',
  ({ target }) => {
    opened.set(target.dataset.key, target.open)
    if (!target.open) return
    for (const place of target.querySelectorAll('[data-part]:empty')) place.append(piece(place.dataset.part))
  },
  true,
)

document.addEventListener('click', (event) => {
  const link = event.target.closest('a')
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  if (link.dataset.seq === undefined) go({ tab: link.hash.slice(1) })
  else go({ at: Number(link.dataset.seq) })
})

function mark() {
  const { at, from } = state()
  go({ from: from === at ? null : at })
}

function move(by) {
  const index = entries.indexOf(state().at) + by
  go({ at: entries[Math.max(0, Math.min(entries.length - 1, index))] }, true)
  if (document.activeElement.closest('#timeline')) links[entries.indexOf(state().at)].focus()
}

function toLoss(by) {
  const { at } = state()
  const next = by > 0 ? data.losses.find((seq) => seq > at) : data.losses.findLast((seq) => seq < at)
  if (next !== undefined) go({ at: next })
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  d: mark,
  ']': () => toLoss(1),
  '[': () => toLoss(-1),
  Escape: () => go({ from: null, at: entries.at(-1) }),
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isInTimeline = event.target.closest('#timeline') !== null
  const arrow = { ArrowDown: 'j', ArrowUp: 'k' }[event.key]
  const run = KEYS[isInTimeline && arrow ? arrow : event.key]
  const tab = tabs[Number(event.key) - 1]
  if (run === undefined && tab === undefined) return
  event.preventDefault()
  if (run === undefined) go({ tab })
  else run()
})

$('mark').addEventListener('click', mark)
addEventListener('hashchange', show)
for (const link of links) link.href = '#at=' + link.dataset.seq
document.documentElement.className = 'live'
show()

if (data.newest !== null) {
  setInterval(async () => {
    if (document.hidden) return
    try {
      const answer = await fetch('newest')
      if (answer.ok && (await answer.text()) !== data.newest) location.reload()
      $('ended').hidden = answer.ok
      if (answer.status === 410) $('ended').textContent = 'The session was deleted. This is its last state.'
    } catch {
      $('ended').hidden = false
    }
  }, 1000)
}
`
