import type {
  PromptDocument,
  TokenCounter,
  ToolListing,
  WorkspaceReader,
} from '../../../entries/index.ts'
import { counted, type PromptSection, writeSection } from '../../../entries/plan.ts'
import type { Report, ReportRows } from '../../report/report.ts'
import { howToAnswer, questionsReport } from '../../report/facts/questions-report.ts'
import { requestFacts } from '../../report/facts/request-report.ts'
import { skillsReport } from '../../report/facts/skills-report.ts'
import { toolsReport } from '../../report/facts/tools-report.ts'
import { html, type Html, htmlText } from '../../report/writers/html.ts'
import { writeRows } from '../../report/writers/html.ts'
import { type CapturedMoment, captureMoment } from '../../report/facts/compare-moments.ts'
import { isFolded } from '../changes/show-changes.ts'
import { withBefore } from '../context/next-price.ts'
import { definitionLines } from '../panes/tool-details.ts'
import { type PageParts, partPlace } from './page-parts.ts'
import { requestPieces } from './request-pieces.ts'

/** A panel that shows one moment. */
export type MomentPanel = 'request' | 'tools' | 'skills' | 'prompt' | 'waiting'

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

/** The most tools, and the most skills, that one moment lists. */
const MOST_ROWS = 5000

/** Reports that replace those of tools and skills, by the kind and the name. */
export type ExplainedNames = ReadonlyMap<string, Report>

export const NONE_EXPLAINED: ExplainedNames = new Map()

/** Reads a moment of a session, from the same views as the screen. */
export async function readMoment(
  reader: WorkspaceReader,
  counter: TokenCounter,
  parts: PageParts,
  explained = NONE_EXPLAINED,
): Promise<PageMoment> {
  const moment = await captureMoment(reader)
  const { ledger } = reader.prompt()
  const prices = new Map(ledger.sections.map(({ id, tokens }) => [id, tokens]))
  const sections = moment.document.sections.map((section) => ({
    section,
    part: parts.add(sectionPiece(section, prices.get(section.id) ?? 0)),
  }))
  const { next } = moment
  const skills = explainedRows(skillsReport(reader, counter), explained)
  const tools = explainedRows(toolsReport(reader, counter, next), explained)
  const [price = 'request unknown', ...rest] = next === null ? [] : requestFacts(next, counter.name)
  const definition = ({ tool, name }: ToolListing) =>
    tool === undefined
      ? []
      : [partPlace(parts.add(htmlText(definitionLines(tool, counter, name).join('\n'))))]
  return {
    seq: reader.state.seq,
    header: parts.add(
      html`<p class="facts">
        <b>${price}</b>
        ${rest.map((one) => html`<span>${one}</span> `)}
        <span>Skills: ${skills.summary()}</span>
        <span>Tools: ${tools.summary()}</span>
      </p>`,
    ),
    panels: {
      request:
        next === null
          ? []
          : requestPieces(withBefore(next, reader), ledger, reader, counter).map(parts.add),
      tools: writeRows(tools, MOST_ROWS, definition).map(parts.add),
      skills: writeRows(skills, MOST_ROWS, () => []).map(parts.add),
      prompt: sections.map(({ part }) => part),
      waiting: writeRows(questionsReport(reader), MOST_ROWS, ({ id }) => [
        html`<p class="note">${howToAnswer(id)}.</p>`,
      ]).map(parts.add),
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

function explainedRows<Row extends { readonly name: string }, Read, Value>(
  rows: ReportRows<Row, Read, Value>,
  explained: ExplainedNames,
): ReportRows<Row, Read, Value> {
  const about = (row: Row) => explained.get(`${rows.of} ${row.name}`) ?? rows.about(row)
  return explained.size === 0 ? rows : { ...rows, about }
}

/** The key of the available tools among the versions of a moment; sections have their ids. */
export const AVAILABLE = 'available tools'

/** Lists the available tools. Another order makes no other version, another definition does. */
function availablePiece({ available }: CapturedMoment): Html {
  const names = [...available.keys()].sort()
  return html`<div class="diff">
    ${names.map((name) => {
      const { owner = '', tool } = available.get(name) ?? {}
      return html`<p title="${owner} ${tool?.hash ?? ''}">${name}</p>`
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
