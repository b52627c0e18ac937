import type { RequestSegment } from '../../../entries/adapter.ts'
import type { PromptDocument, PromptLedger, TokenCounter } from '../../../entries/index.ts'
import type { PromptViewPart, PromptViewSection } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import {
  conversationParts,
  counted,
  formatCount,
  type PromptFormat,
  promptLedger,
  type PromptSection,
  writeSection,
} from '../../../entries/plan.ts'
import type { ConversationRow } from '../../report/facts/conversation-rows.ts'
import { cachedParts } from '../rows/cached-parts.ts'
import {
  describeRow,
  rowCached,
  rowLine,
  rowTokens,
  shownConversation,
} from '../session/shown-conversation.ts'
import type { NextRequest } from '../context/next-price.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'

/** A section or a tool of the next request, with its tokens. */
export interface PricedSection extends Omit<PromptViewSection, 'text' | 'folded'> {
  /** Writes it for the screen, at most so many columns wide. */
  text(format: Exclude<PromptFormat, 'xml'>, width: number): string
}

/** The next request: its parts in the order in which the provider reads them, and their sections. */
export interface PricedPrompt {
  readonly document: PromptDocument
  readonly ledger: PromptLedger
  /** Absent while the price of the request is not known. */
  readonly parts?: readonly PromptViewPart[] | undefined
  /** All but the tools. */
  readonly sections: readonly PricedSection[]
  /** The tools, made when they are shown: there may be thousands. */
  tools(): readonly PricedSection[]
}

/** The id of the row with the tools of a request. */
export const TOOLS = 'tools'

/** The id of the row with the conversation so far. */
export const MESSAGES = 'messages'

const priceCache = identityMemo<PricedPrompt>()

/** Prices the next request at the moment shown. Returns the same object while the request is the same. */
export function pricedPrompt(context: PlaygroundContext): PricedPrompt {
  const { counter } = context
  const next = context.next()
  if (next !== null) {
    const { prompt, opening, step, reported } = context.reader().state
    const { format = 'markdown' } = prompt
    const isObserved = opening?.observed !== undefined && step > 0
    const kept = reported.last?.report.usage.cached === 0 ? 0 : null
    return priceCache([counter, next], `${format} ${isObserved} ${kept}`, () => {
      const priced = pricedRequest(next, counter, format as PromptFormat)
      return isObserved ? observedPrompt(priced, kept) : priced
    })
  }
  const { document } = context.reader().prompt()
  return priceCache([counter, document], '', () => {
    const ledger = promptLedger(document, counter)
    const sections = document.sections.map((one) => plain(one, ledger))
    return { document, ledger, sections, tools: () => [] }
  })
}

/**
 * Returns the last request of another agent: nothing is compared with the next one, and a file may have none of the tokens of
 * its texts.
 *
 * @param kept the cached tokens of each part: 0 where the provider had none, null where nobody knows
 */
function observedPrompt(priced: PricedPrompt, kept: 0 | null): PricedPrompt {
  const figures = { kept, change: null }
  const shown = (section: PricedSection): PricedSection => ({ ...section, figures })
  const hasMessages = priced.sections.some(({ id }) => id === MESSAGES)
  const messages = { ...row(MESSAGES, SO_FAR, 0, null), tokens: null, text: () => '' }
  return {
    ...priced,
    parts: priced.parts?.map((part) => ({
      ...part,
      figures,
      tokens: part.tokens === 0 && part.placement !== 'tools' ? null : part.tokens,
    })),
    sections: [...(hasMessages ? [] : [messages]), ...priced.sections].map(shown),
    tools: () => priced.tools().map(shown),
  }
}

const SO_FAR = 'Conversation so far'

function plain(section: PromptSection, { sections }: PromptLedger): PricedSection {
  const { id, title, stability, placement } = section
  const tokens = sections.find((one) => one.id === id)?.tokens ?? 0
  const text: PricedSection['text'] = (format, width) => writeSection(section, format, width)
  return { id, title, stability, placement, tokens, text }
}

/** Prices the parts, sections and tools of the next request. */
export function pricedRequest(
  next: NextRequest,
  counter: TokenCounter,
  format: PromptFormat,
): PricedPrompt {
  const { document, cost } = next
  const ledger = promptLedger(document, counter, format)
  const sections = [
    ...instructionSections(next, ledger),
    ...conversationSections(next, ledger, format),
  ]
  const parts = cost.order.map((placement) => partHeading(placement, next))
  let tools: readonly PricedSection[] | undefined
  // Nothing is cached of the first request, and nothing changed since.
  const shown = (some: readonly PricedSection[]) =>
    next.before === null ? some.map(({ figures: _figures, ...others }) => others) : some
  return {
    document,
    ledger,
    parts,
    sections: shown(sections),
    tools: () => (tools ??= shown(toolSections(next))),
  }
}

/** The heading of a part of the request. */
function partHeading(placement: RequestSegment, next: NextRequest): PromptViewPart {
  const { cost, before } = next
  const tokens = cost.tokens[placement]
  const { kept } = sumParts(next, ({ segment }) => segment === placement)
  const isCut = cost.changed?.segment === placement
  const change = before === null ? null : tokens - before.tokens[placement]
  const figures = { kept, change, ...(isCut && { isCut }) }
  const part = { placement, tokens, ...(before !== null && { figures }) }
  if (placement !== 'tools') return part
  const sent = next.predicted.parts.filter(({ segment }) => segment === 'tools').length
  const out = cost.deferred === 0 ? '' : `, ${formatCount(cost.deferred)} deferred`
  return { ...part, remark: `(${formatCount(sent)}${out})` }
}

type Part = NextRequest['predicted']['parts'][number]

/** Sums the tokens of some parts that are in the request, and of these, those that are in the cache. */
function sumParts(next: NextRequest, isIn: (part: Part) => boolean) {
  let [tokens, kept] = [0, 0]
  const cached = cachedParts(next)
  for (const [index, part] of next.predicted.parts.entries()) {
    if (!isIn(part)) continue
    tokens += part.tokens
    kept += cached[index] ?? 0
  }
  return { tokens, kept }
}

/** The tools of the request in their order, then those that the request before had and this one has not. */
function toolSections(next: NextRequest): readonly PricedSection[] {
  const { predicted, before, cost } = next
  const known = new Map((before?.tools() ?? []).map(({ id, tokens }) => [id, tokens]))
  const cached = cachedParts(next)
  const tools = predicted.parts.flatMap((part, index): PricedSection[] => {
    const { id, segment, tokens } = part
    if (segment !== 'tools') return []
    const isKept = index < predicted.shared
    const isNew = before !== null && !isKept && !known.has(id)
    const change = isKept || before === null ? null : tokens - (known.get(id) ?? 0)
    known.delete(id)
    const isCut = index === predicted.shared && cost.changed?.part === id
    return [
      {
        ...toolRow(id),
        tokens,
        figures: { kept: cached[index] ?? 0, change, ...(isCut && { isCut }) },
        fresh: isNew,
        // A member a line.
        text() {
          const definition = part.text?.() ?? ''
          return definition === '' ? '' : JSON.stringify(JSON.parse(definition), null, 2)
        },
      },
    ]
  })
  const gone = [...known].map(([id, tokens]): PricedSection => ({
    ...toolRow(id),
    tokens: 0,
    figures: { kept: 0, change: -tokens, ...(cost.changed?.part === id && { isCut: true }) },
    text: () => 'No longer in the request.',
  }))
  return [...tools, ...gone]
}

function toolRow(name: string) {
  return { id: `tool/${name}`, title: name, stability: 'step', placement: 'tools' } as const
}

/** The instructions: the log knows their hash, so all of them are in the cache, or none. */
function instructionSections(next: NextRequest, ledger: PromptLedger): readonly PricedSection[] {
  let { kept: left } = sumParts(next, ({ segment }) => segment === 'instructions')
  return next.document.sections
    .filter(({ placement }) => placement === 'instructions')
    .map((section) => {
      const priced = plain(section, ledger)
      const kept = Math.min(left, priced.tokens ?? 0)
      left -= kept
      return { ...priced, figures: { kept, change: null } }
    })
}

/** The conversation so far, then the texts of the workspace: those that this request adds, and those it sent before. */
function conversationSections(
  next: NextRequest,
  ledger: PromptLedger,
  format: PromptFormat,
): readonly PricedSection[] {
  const { document, conversation, before } = next
  const added = new Map<string, number>()
  for (const { segment, key, id, tokens } of next.predicted.parts) {
    if (segment === 'conversation' && key === id) added.set(id, tokens)
  }
  const shown = document.sections
    .filter(({ placement }) => placement === 'conversation')
    .map((section): PricedSection => {
      const priced = plain(section, ledger)
      const ids = conversationParts({ ...document, sections: [section] }, format).map(
        ({ id }) => id,
      )
      const isAdded = ids.some((id) => added.has(id))
      const tokens = ids.reduce((sum, id) => sum + (added.get(id) ?? 0), 0)
      for (const id of ids) added.delete(id)
      if (!isAdded) return { ...priced, figures: { kept: 0, change: null }, wasSent: true }
      const change = before === null ? null : tokens
      return { ...priced, tokens, figures: { kept: 0, change }, fresh: before !== null }
    })
  const ended = conversation.flatMap(({ id, title, text }): PricedSection[] => {
    const tokens = added.get(id)
    if (tokens === undefined) return []
    return [{ ...row(id, `No longer applies: ${title}`, tokens, before), text: () => text }]
  })
  const referred = sumParts(next, ({ key }) => key.startsWith('reference '))
  const references =
    referred.tokens === 0
      ? []
      : [{ ...row('references', 'Tools referred to', referred.tokens, before), text: () => '' }]
  return [...soFar(next), ...shown, ...ended, ...references]
}

function row(id: string, title: string, tokens: number, before: NextRequest['before']) {
  const figures = { kept: 0, change: before === null ? null : tokens }
  return { id, title, stability: 'step', placement: 'conversation', tokens, figures } as const
}

/** The messages of the host, and the texts of the workspace that were sent before. */
function soFar(next: NextRequest): readonly PricedSection[] {
  const { tokens, kept } = sumParts(
    next,
    ({ segment, id }) => segment === 'conversation' && id === 'messages',
  )
  if (tokens === 0) return []
  const isCut = next.cost.changed?.segment === 'conversation'
  const { messages } = next.cost
  const own = counted(tokens - messages, 'token')
  const text = () =>
    [
      `Messages of the host: ${counted(messages, 'token')}, as it counted them.`,
      `Texts of the workspace that were sent before: ${own}. Those that still apply are below, in parentheses.`,
    ].join('\n')
  const change = next.before === null ? null : tokens - next.before.tokens.conversation
  const figures = { kept, change, ...(isCut && { isCut }) }
  return [{ ...row(MESSAGES, SO_FAR, tokens, null), figures, text }]
}

const sectionCache = identityMemo<readonly PricedSection[]>()

/** Returns the conversation as rows of the request. A row is read, and its tokens are counted, when it is drawn. */
export function spokenSections(context: PlaygroundContext): readonly PricedSection[] {
  const { rows, earlier } = shownConversation(context)
  const { reader, next, texts } = context
  const price = next() ?? NO_PRICE
  return sectionCache([rows, reader(), reader().state, price], `${texts.version()}`, () => [
    ...(earlier === 0 ? [] : [earlierRow(earlier)]),
    ...rows.map((row) => rowSection(row, context)),
  ])
}

const NO_PRICE = {}

function rowSection(row: ConversationRow, context: PlaygroundContext): PricedSection {
  return {
    ...PLACED,
    id: row.id,
    get title() {
      return rowLine(row, context)
    },
    get tokens() {
      return row.kind === 'step' ? 0 : rowTokens(row, context)
    },
    get figures() {
      return { kept: rowCached(row, context), change: null }
    },
    wasSent: row.isInside,
    text: () => describeRow(row, context).lines.slice(2).join('\n'),
  }
}

const PLACED = { stability: 'step', placement: 'conversation' } as const

function earlierRow(count: number): PricedSection {
  const title = `${counted(count, 'earlier row')}: go to an earlier entry in the timeline (4)`
  const figures = { kept: 0, change: null }
  return { ...PLACED, id: 'row/earlier', title, tokens: 0, figures, text: () => '' }
}
