import { hash } from 'node:crypto'
import type { Entry } from '../../../entries/index.ts'
import { describeCause, describeEvent } from '../../../entries/kit.ts'
import { choosePieces, type ChosenPieces } from './choose-pieces.ts'
import { html, type Html } from '../../report/writers/html.ts'
import { fillPlaces } from './page-parts.ts'
import type { PageContent } from './create-page-reader.ts'
import { isoTime } from '../text/iso-time.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { PAGE_STYLE } from './page-style.ts'
import type { MomentPanel, PageMoment } from './read-moment.ts'

const PANELS: Readonly<Record<MomentPanel, string>> = {
  request: 'Request',
  tools: 'Tools',
  skills: 'Skills',
  prompt: 'Prompt',
  waiting: 'Waiting',
}

const NAMES = Object.keys(PANELS) as MomentPanel[]

const OTHERS = { entry: 'Entry', difference: 'Difference' }

/** The most entries in the timeline. */
const MOST_ENTRIES = 5000

/**
 * Writes a session as one page that needs no other file and no network. Its content security policy allows only
 * its own script and style.
 *
 * Readers without JavaScript get the timeline and the newest moment. The earliest moments are left out when they
 * do not fit, and the page says so.
 *
 * @param newest the version of a page that is served, which reloads itself when there is another; null for a file
 */
export function writePage(content: PageContent, newest: string | null): string {
  const entries = content.entries.slice(-MOST_ENTRIES)
  const chosen = choosePieces(content, entries)
  const { moments, texts } = chosen
  const last = moments.at(-1)
  const isInline = new Set<number>()
  const read = (part: number): string => {
    isInline.add(part)
    return `<div class="piece" data-is="${part}">${texts.get(part) ?? LEFT_OUT.markup}</div>`
  }
  const inline = (part: number): Html => ({ markup: fillPlaces(read(part), read) })
  const title = `Loadout session ${content.session}`
  const agent = content.agent === null ? '' : `, agent ${content.agent}`
  const start = content.entries[0]
  const opened = start === undefined ? '' : `opened ${timeText(start.at)}, times are UTC`
  const body = html`<header>
      <h1>${title}${agent}</h1>
      <p><b id="moment">now</b> <span>${opened}</span> <button id="mark" type="button"></button></p>
      <div id="header">${last === undefined ? '' : inline(last.header)}</div>
      ${leftOut(content, entries, moments)}
      <noscript
        ><p class="note">Without JavaScript, this page shows the newest moment only.</p></noscript
      >
      <p id="ended" class="note" hidden>The session is no longer served. This is its last state.</p>
      <nav aria-label="Views">${Object.entries({ ...PANELS, ...OTHERS }).map(tab)}</nav>
    </header>
    <div id="timeline">
      <h2>Timeline</h2>
      <ol>
        ${timeline(entries)}
      </ol>
    </div>
    <main>
      ${NAMES.map((name) => panel(name, PANELS[name], (last?.panels[name] ?? []).map(inline)))}
      ${Object.entries(OTHERS).map(([name, title]) => panel(name, title, null))}
    </main>
    <footer class="note">
      <p>
        j, k: next and previous entry. ], [: next and previous step that lost a part of the cache. 1
        to 7: views. d: mark an entry to compare others with it. Esc: now.
      </p>
    </footer>
    <template id="same"
      ><p class="note">The request, the tools and the prompt are the same.</p></template
    >
    <template id="left-out">${LEFT_OUT}</template>`
  const others = [...texts].filter(([part]) => !isInline.has(part))
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    html`<meta http-equiv="Content-Security-Policy" content="${pagePolicy(newest !== null)}" />`
      .markup,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width">',
    html`<title>${title}</title>`.markup,
    `<style>${PAGE_STYLE}</style>`,
    body.markup,
    '<template id="pieces">',
    ...others.map(([part, text]) => `<div class="piece" data-is="${part}">${text}</div>`),
    '</template>',
    // Only numbers: it cannot end the element.
    `<script type="application/json" id="data">${JSON.stringify(pageData(chosen, entries, newest))}</script>`,
    `<script>${PAGE_SCRIPT}</script>`,
    '</html>\n',
  ].join('\n')
}

/** Returns the content security policy of a page: its own script and style, by their hashes, and nothing else. */
export function pagePolicy(isServed: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash('sha256', PAGE_SCRIPT, 'base64')}'`,
    `style-src 'sha256-${hash('sha256', PAGE_STYLE, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    ...(isServed ? ["connect-src 'self'"] : []),
  ].join('; ')
}

const LEFT_OUT = html`<p class="note">This is not in the page, which would be too large.</p>`

function tab([name, title]: readonly [string, string]): Html {
  return html`<a href="#${name}">${title}</a>`
}

/** @param pieces null for a panel that only the script fills */
function panel(name: string, title: string, pieces: readonly Html[] | null): Html {
  return html`<section id="${name}" ${{ markup: pieces === null ? 'hidden' : '' }}>
    <h2>${title}</h2>
    <div class="pieces">${pieces ?? []}</div>
  </section>`
}

function timeline(entries: readonly Entry[]): Html[] {
  let turn = 0
  return entries.map((entry) => {
    const { seq, at, cause, event } = entry
    if (event.type === 'turn.begun') turn = event.turn
    return html`<li>
      <a data-seq="${seq}" ${{ markup: isLoss(entry) ? 'class="loss"' : '' }}
        >#${seq}
        <time title="${timeText(at)}">${timeText(at).slice(11, 19)}</time>
        ${turn === 0 ? '' : `t${turn} `}${describeEvent(event)} <i>${describeCause(cause)}</i></a
      >
    </li>`
  })
}

/** Writes a wall clock in milliseconds as UTC. The reader of a page may be in another time zone. */
function timeText(at: number): string {
  return isoTime(at) ?? '?'
}

/** Returns true for a step that lost a part of the cache. */
function isLoss({ event }: Entry): boolean {
  return event.type === 'step.begun' && (event.cost?.changed ?? null) !== null
}

/** Says what a page of a long session does not have. */
function leftOut(
  { entries: all }: PageContent,
  entries: readonly Entry[],
  moments: readonly PageMoment[],
): Html {
  const first = entries[0]?.seq ?? 0
  const from = moments[0]?.seq ?? 0
  return html`${first === 0 ? '' : html`<p class="note">Not in this page: the entries before #${first} of ${all.length}.</p>`}
  ${from === 0 ? '' : html`<p class="note">Not in this page: the moments before #${from}. --at writes a page that ends earlier.</p>`}`
}

/** The numbers from which the script chooses pieces. */
function pageData(
  { moments, differences, entries: pieces }: ChosenPieces,
  entries: readonly Entry[],
  newest: string | null,
) {
  const lists: (readonly number[])[] = []
  const known = new Map<string, number>()
  /** Equal lists are kept once. */
  const list = (parts: readonly number[]): number => {
    const text = parts.join(' ')
    const number = known.get(text) ?? lists.push(parts) - 1
    known.set(text, number)
    return number
  }
  const keys = [...new Set(moments.flatMap(({ versions }) => [...versions.keys()]))]
  return {
    newest,
    moments: moments.map(({ seq, header, panels, versions }) => ({
      seq,
      header,
      ...Object.fromEntries(NAMES.map((name) => [name, list(panels[name])])),
      versions: list([...versions.values()].map(({ part }) => part)),
    })),
    lists,
    keys: Object.fromEntries(
      moments.flatMap(({ versions }) =>
        [...versions].map(([key, { part }]) => [part, keys.indexOf(key)]),
      ),
    ),
    differences: Object.fromEntries(differences),
    entries: pieces,
    losses: entries.filter(isLoss).map(({ seq }) => seq),
  }
}
