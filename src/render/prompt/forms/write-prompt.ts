import { type ContentHash, textHash } from '../../../kernel/content-hash.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import type {
  Fact,
  Placement,
  PromptBlock,
  PromptDocument,
  PromptItem,
  PromptSection,
} from '../document/prompt-document.ts'
import { BOX_WIDTH, writeBoxed } from './write-boxed.ts'
import { writeMarkdown } from './write-markdown.ts'

/** `markdown` and `xml` for models, `text` in boxes for people. */
export type PromptFormat = 'markdown' | 'xml' | 'text'

interface WriteOptions {
  /** `markdown` by default. */
  readonly format?: PromptFormat
  /** Only this part; by default the instructions, then the conversation part. */
  readonly placement?: Placement
  /** Columns of a box, 80 by default. */
  readonly width?: number
}

const promptCache = identityMemo<string>()

/** Writes a document: the texts of its sections, one after the other. */
export function writePrompt(document: PromptDocument, options: WriteOptions = {}): string {
  const { format = 'markdown', placement, width = BOX_WIDTH } = options
  return promptCache([document], `${format} ${placement} ${width}`, () => {
    let text = ''
    for (const section of document.sections) {
      const isPart = placement === undefined || section.placement === placement
      if (isPart) text += writeSection(section, format, width)
    }
    return text
  })
}

/** Writes one section exactly as it appears in the text of its document. */
export function writeSection(
  section: PromptSection,
  format: PromptFormat = 'markdown',
  width: number = BOX_WIDTH,
): string {
  switch (format) {
    case 'markdown':
      return writeMarkdown(section)
    case 'xml':
      return writeXml(section)
    case 'text':
      return writeBoxed(section, width)
  }
}

const hashCache = identityMemo<ContentHash>()

/** The hash of a section's text: equal when the model has already read this text. */
export function sectionHash(
  section: PromptSection,
  format: PromptFormat = 'markdown',
): ContentHash {
  return hashCache([section], format, () => textHash(writeSection(section, format)))
}

/** One part of the workspace's current text in the conversation. */
export interface ConversationPart {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly hash: ContentHash
  /** The skill, if the part is a skill's instructions. */
  readonly skill?: string
}

const partsCache = identityMemo<readonly ConversationPart[]>()

/**
 * Splits the conversation part of a document into the parts that change independently. Each section
 * is one part, except that each active skill is a part of its own, so that activating a second one
 * does not repeat the first.
 */
export function conversationParts(
  { sections }: PromptDocument,
  format: PromptFormat,
): readonly ConversationPart[] {
  return sections
    .filter(({ placement }) => placement === 'conversation')
    .flatMap((section) => partsCache([section], format, () => splitSection(section, format)))
}

function splitSection(section: PromptSection, format: PromptFormat): readonly ConversationPart[] {
  const makePart = (id: string, title: string, piece: PromptSection): ConversationPart => {
    const text = writeSection(piece, format)
    return { id, title, text, hash: textHash(text) }
  }
  if (section.kind !== 'active-skills') return [makePart(section.id, section.title, section)]
  const listed = section.blocks.findIndex(({ kind }) => kind === 'items')
  const head = { ...section, blocks: section.blocks.slice(0, listed + 1), children: [] }
  return [
    ...(listed < 0 ? [] : [makePart(section.id, section.title, head)]),
    ...section.children.map((child) => {
      const title = `Loaded skill: ${child.title}`
      return { ...makePart(child.id, title, { ...child, title }), skill: child.owner }
    }),
  ]
}

const xmlCache = identityMemo<string>()

/**
 * Writes a section as XML with all foreign text escaped. Ends with a line break, so documents are
 * built by joining the texts of sections; there is no root element.
 */
function writeXml(section: PromptSection): string {
  return xmlCache([section], '', () => {
    const { title, source, blocks, children } = section
    // An old log may contain names that definitions no longer allow.
    const [id, owner] = [sanitiseLine(section.id), sanitiseLine(section.owner)]
    return [
      `<section${attributes({ id, title, source, owner })}>`,
      ...blocks.map(writeBlock),
      ...children.map((child) => writeXml(child).trimEnd()),
      '</section>\n',
    ].join('\n')
  })
}

function writeBlock(block: PromptBlock): string {
  switch (block.kind) {
    case 'prose':
      return `<note>${escapeXml(block.text)}</note>`
    case 'body':
      return `<body>${escapeXml(block.text)}</body>`
    case 'facts':
      return block.facts.map(writeFact).join('\n')
    case 'items':
      return ['<items>', ...block.items.map(writeItem), '</items>'].join('\n')
  }
}

function writeItem({ name, summary, marks, facts }: PromptItem): string {
  const remarks = marks.length === 0 ? {} : { marks: marks.join(', ') }
  return `<item${attributes({ name, ...remarks })}>${escapeXml(summary)}${facts.map(writeFact).join('')}</item>`
}

function writeFact({ label, value }: Fact): string {
  return `<fact${attributes({ label })}>${escapeXml(value)}</fact>`
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value).replaceAll('"', '&quot;')}"`)
    .join('')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
