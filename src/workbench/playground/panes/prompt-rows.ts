import type { PromptFormat } from '../../../entries/plan.ts'
import {
  PROMPT_INDENT,
  type PromptLine,
  promptLines,
  type PromptViewPart,
  type PromptViewSection,
} from '../../../entries/ink-views.ts'
import { identityMemo, sanitiseLine } from '../../../entries/kit.ts'
import { EMPTY_PANE } from '../context/ui-state.ts'
import { isFolded, sectionRow } from '../changes/show-changes.ts'
import { MESSAGES, type PricedPrompt, type PricedSection, TOOLS } from './priced-prompt.ts'

/** The display options of the lines. */
export interface PromptRowOptions {
  /** Markdown, the text that is sent, or boxes for people. */
  readonly format: Exclude<PromptFormat, 'xml'>
  /** Ids of the sections that are not as at first: boxes of SKILL TOOLS open, all others folded. */
  readonly toggled: readonly string[]
  /** Ids of the sections that the last change added or changed. */
  readonly fresh: readonly string[]
  readonly width: number
  /** Sections that contain it are open. */
  readonly search: string
  /** Returns the rows of the conversation; called when they are listed. */
  conversation(): readonly PricedSection[]
}

/** The lines of a prompt as a list with a cursor. Ids are stable while text and width are the same. */
export interface PromptRows {
  readonly sections: readonly PromptViewSection[]
  /** Absent while the price of the request is not known. */
  readonly parts: readonly PromptViewPart[] | undefined
  readonly lines: readonly PromptLine[]
  /** One per line. */
  readonly ids: readonly string[]
}

const sectionCache = identityMemo<readonly PromptViewSection[]>()
const rowsCache = identityMemo<PromptRows>()

/** Returns the rows of a prompt; the same object for the same prompt and options. */
export function promptRows(priced: PricedPrompt, options: PromptRowOptions): PromptRows {
  const { format, width, search } = options
  const toggled = options.toggled.length === 0 ? EMPTY_PANE.toggled : options.toggled
  const isOpen = toggled.includes(MESSAGES) || search !== ''
  const conversation = isOpen ? options.conversation() : NONE
  const sections = sectionCache(
    [priced, toggled, options.fresh, conversation],
    `${format} ${width} ${search}`,
    () => shownSections(priced, { ...options, toggled, conversation: () => conversation }),
  )
  return rowsCache([sections], `${width} ${search}`, () => {
    const parts = priced.parts?.map((part) =>
      part.placement === TOOLS ? { ...part, folded: areToolsFolded(toggled, search) } : part,
    )
    const lines = promptLines(sections, width, search, parts)
    return { sections, parts, lines, ids: lineIds(lines) }
  })
}

const NONE: readonly PricedSection[] = []

/** Returns true while the tools are not listed: at first, and until somebody searches. */
function areToolsFolded(toggled: readonly string[], search: string): boolean {
  return search === '' && isFolded(TOOLS, toggled.includes(TOOLS))
}

/** Returns the id of the section of a line; that of the tools for their heading, null for other headings. */
export function lineSection(line: PromptLine): string | null {
  switch (line.kind) {
    case 'part':
      return line.part?.placement === TOOLS ? TOOLS : null
    case 'section':
      return line.section.id
    case 'text':
      return line.section
  }
}

/** Returns the row of the next line with a hit from the cursor on, around the end; null when there is none. */
export function nextHit(
  { lines, ids }: PromptRows,
  from: string | null,
  step: 1 | -1,
): string | null {
  const count = lines.length
  const start = from === null ? -1 : ids.indexOf(from)
  const first = start < 0 && step < 0 ? 0 : start
  for (let moved = 1; moved <= count; moved += 1) {
    const at = (((first + moved * step) % count) + count) % count
    const line = lines[at]
    const row = ids[at]
    if (line !== undefined && isHit(line) && row !== undefined) return row
  }
  return null
}

/** Returns true for a line with the searched text, and for a row of the conversation that a search found. */
export function isHit(line: PromptLine): boolean {
  return line.kind === 'text' ? line.hit : line.kind === 'section' && isRow(line.section.id)
}

/** Returns true for the id of a row of the conversation. */
function isRow(section: string): boolean {
  return section.startsWith('row/')
}

function shownSections(
  priced: PricedPrompt,
  { format, toggled, fresh, width, search, conversation }: PromptRowOptions,
): readonly PromptViewSection[] {
  const wanted = sanitiseLine(search).toLowerCase()
  const [changed, isFresh] = [new Set(toggled), new Set(fresh)]
  const shown = ({ text: write, ...section }: PricedSection): PromptViewSection => {
    const { id } = section
    const isOpen = !isFolded(id, changed.has(id))
    const text = isOpen || wanted !== '' ? write(format, width - PROMPT_INDENT) : ''
    const isHit = wanted !== '' && text.toLowerCase().includes(wanted)
    // After a step, a section is new until the next step; before the first, until the next change.
    const isNew = section.figures === undefined ? isFresh.has(id) : section.fresh === true
    return { ...section, text, folded: !isHit && !isOpen, fresh: isNew }
  }
  const tools = areToolsFolded(toggled, search) ? [] : priced.tools().map(shown)
  const found = wanted === '' ? tools : tools.filter(({ folded }) => !folded)
  const rows = conversation().flatMap((row) => shownRow(row, changed.has(row.id), wanted, format))
  return [
    ...found,
    ...priced.sections.flatMap((section) =>
      section.id === MESSAGES && rows.length > 0
        ? [{ ...section, text: '', folded: false }, ...rows]
        : [shown(section)],
    ),
  ]
}

/** Lines of a row that are shown below it: all of them are in its own text. */
const MOST_LINES = 40

/** Returns a row of the conversation; nothing where a search does not find it. Only a row that is drawn is written. */
function shownRow(
  row: PricedSection,
  isOpen: boolean,
  wanted: string,
  format: PromptRowOptions['format'],
): readonly PromptViewSection[] {
  if (wanted !== '' && !row.title.toLowerCase().includes(wanted)) return []
  const { id, stability, placement } = row
  return [
    {
      id,
      stability,
      placement,
      folded: !isOpen,
      get title() {
        return row.title
      },
      get tokens() {
        return row.tokens
      },
      get figures() {
        return row.figures as NonNullable<PricedSection['figures']>
      },
      get wasSent() {
        return row.wasSent === true
      },
      get text() {
        return isOpen ? row.text(format, 0).split('\n').slice(0, MOST_LINES).join('\n') : ''
      },
    },
  ]
}

function lineIds(lines: readonly PromptLine[]): readonly string[] {
  let place = 0
  return lines.map((line) => {
    place += 1
    if (line.kind === 'part') {
      return line.part?.placement === TOOLS ? sectionRow(TOOLS) : `part ${line.placement}`
    }
    if (line.kind === 'text') return `${sectionRow(line.section)} ${place}`
    place = 0
    return sectionRow(line.section.id)
  })
}
