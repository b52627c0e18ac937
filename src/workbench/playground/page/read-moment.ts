import type { PromptDocument, TokenCounter, WorkspaceReader } from '../../../entries/index.ts'
import { listingAddress } from '../../../entries/kit.ts'
import {
  counted,
  definitionTokens,
  formatCount,
  keptText,
  type PromptSection,
  requestText,
  sentWithText,
  writeSection,
} from '../../../entries/plan.ts'
import { type CapturedMoment, captureMoment } from '../changes/compare-moments.ts'
import { withBefore } from '../context/next-price.ts'
import { isFolded } from '../changes/show-changes.ts'
import { skillReasons } from '../panes/skill-details.ts'
import { type SkillRow, skillRows } from '../panes/skill-rows.ts'
import { definitionLines } from '../panes/tool-details.ts'
import { reachInWords, type ToolPaneRow, type ToolRows, toolRows } from '../panes/tool-rows.ts'
import { reasonLines } from '../text/text-lines.ts'
import { html, type Html, htmlText } from './html.ts'
import { requestPieces } from './request-pieces.ts'
import { type PageParts, partPlace } from './page-parts.ts'

/** A panel that shows one moment. */
export type MomentPanel = 'request' | 'tools' | 'skills' | 'prompt'

/** The session after one entry, as numbers of pieces. */
export interface PageMoment {
  readonly seq: number
  readonly header: number
  readonly panels: Readonly<Record<MomentPanel, readonly number[]>>
  /** The parts that a difference compares, by key: the available tools, and each section of the prompt. */
  readonly versions: ReadonlyMap<string, PageVersion>
}

/** One version of the available tools, or of a section. */
export interface PageVersion {
  readonly part: number
  readonly moment: Omit<CapturedMoment, 'next'>
}

/** The most tools that one moment lists. */
const MOST_TOOLS = 5000

/** Reads a moment of a session, from the same views as the screen. */
export async function readMoment(
  reader: WorkspaceReader,
  counter: TokenCounter,
  parts: PageParts,
): Promise<PageMoment> {
  const moment = await captureMoment(reader)
  const { ledger } = reader.prompt()
  const prices = new Map(ledger.sections.map(({ id, tokens }) => [id, tokens]))
  const sections = moment.document.sections.map((section) => ({
    section,
    part: parts.add(sectionPiece(section, prices.get(section.id) ?? 0)),
  }))
  const { next } = moment
  const skills = skillRows(reader, '', [])
  const tools = toolRows(reader, '', 'source', [])
  return {
    seq: reader.state.seq,
    header: parts.add(
      html`<p class="facts">
        <b
          >${next === null ? 'request unknown' : `${requestText(next)} tokens (${counter.name})`}</b
        >
        <span>${next === null ? '' : `${sentWithText(next)}, ${keptText(next.cost)}`}</span>
        <span>${formatCount(skills.active)} of ${counted(skills.rows.length, 'skill')} active</span>
        <span>Tools: ${reachInWords(tools.rows, next)}</span>
      </p>`,
    ),
    panels: {
      request:
        next === null
          ? []
          : requestPieces(withBefore(next, reader), ledger, reader, counter).map(parts.add),
      tools: toolPieces(tools, reader, counter, parts).map(parts.add),
      skills: skills.rows.map((row) => parts.add(skillPiece(row, reader))),
      prompt: sections.map(({ part }) => part),
    },
    versions: new Map([
      [
        AVAILABLE,
        { part: parts.add(availablePiece(moment)), moment: { ...moment, document: NO_TEXT } },
      ],
      ...sections.map(({ section, part }) => [section.id, sectionVersion(section, part)] as const),
    ]),
  }
}

/** The key of the available tools among the versions of a moment; sections have their ids. */
export const AVAILABLE = 'available tools'

/** Lists the available tools. Another order makes no other version, another definition does. */
function availablePiece({ available }: CapturedMoment): Html {
  const names = [...available.keys()].sort()
  return html`<div class="diff">
    ${names.map((name) => {
      const { owner, hash } = available.get(name) ?? {}
      return html`<p title="${owner ?? ''} ${hash ?? ''}">${name}</p>`
    })}
  </div>`
}

const NO_TEXT: PromptDocument = { sections: [], notes: [], variables: [] }

function sectionVersion(section: PromptSection, part: number): PageVersion {
  return { part, moment: { available: new Map(), document: { ...NO_TEXT, sections: [section] } } }
}

function sectionPiece(section: PromptSection, tokens: number): Html {
  const { id, title, stability, placement } = section
  return html`<details data-key="section ${id}" ${isFolded(id, false) ? '' : BOX}>
    <summary>
      <b>${title}</b> <i>${placement}, ${stability}</i> <span>${counted(tokens, 'token')}</span>
    </summary>
    ${htmlText(writeSection(section))}
  </details>`
}

/** The boxes of SKILL TOOLS are open at first, as on the screen. */
const BOX: Html = { markup: 'open class="box"' }

function toolPieces(
  { groups, rows }: ToolRows,
  reader: WorkspaceReader,
  counter: TokenCounter,
  parts: PageParts,
): Html[] {
  let left = MOST_TOOLS
  const pieces = groups.flatMap(({ title, rows }) => {
    const listed = rows.slice(0, left)
    left -= listed.length
    return listed.length === 0
      ? []
      : [
          html`<h3>${title} <i>${formatCount(rows.length)}</i></h3>`,
          ...listed.map((row) => toolPiece(row, reader, counter, parts)),
        ]
  })
  const more = rows.length - MOST_TOOLS
  if (more <= 0) return pieces
  return [...pieces, html`<p class="note">${counted(more, 'more tool')} not in this page.</p>`]
}

function toolPiece(
  { id, status, asks, listing }: ToolPaneRow,
  reader: WorkspaceReader,
  counter: TokenCounter,
  parts: PageParts,
): Html {
  const { tool } = listing
  const explanation = reader.explain(listingAddress(listing))
  const definition =
    tool === undefined
      ? []
      : [partPlace(parts.add(htmlText(definitionLines(tool, counter, id).join('\n'))))]
  const tokens = tool === undefined ? '' : counted(definitionTokens(tool, counter, id), 'token')
  return html`<details data-key="tool ${id}" data-status="${status}">
    <summary>
      <b>${id}</b> <i>${status}${asks ? ', asks first' : ''}</i> <span>${tokens}</span>
      <small>${explanation.because.at(-1)?.text ?? ''}</small>
    </summary>
    ${htmlText(reasonLines(explanation).join('\n'))} ${definition}
  </details>`
}

function skillPiece(row: SkillRow, reader: WorkspaceReader): Html {
  const { id, status, lifetime, skill } = row
  return html`<details data-key="skill ${id}" data-status="${status}">
    <summary>
      <b>${id}</b> <i>${status}</i> <span>${lifetime}</span>
      <small>${skill?.description ?? ''}</small>
    </summary>
    ${htmlText(skillReasons(row, reader).join('\n'))}
  </details>`
}
