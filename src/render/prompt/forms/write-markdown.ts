import { codeSpan } from './code-span.ts'
import { fence } from './fence.ts'
import { identityMemo } from '../document/identity-memo.ts'
import { isPlainMarkdown } from './plain-markdown.ts'
import type { PromptBlock, PromptItem, PromptSection } from '../document/prompt-document.ts'

const keptHeads = identityMemo<string>()

/**
 * A section in Markdown: a heading of ours, its blocks, its children one level deeper. Ends with
 * an empty line, so sections are put together by joining their texts.
 *
 * Bodies of others are fenced. A section that begins with a body that may go without a fence goes
 * without a heading too: an agent's prompt reads as its author wrote it.
 */
export function writeMarkdown(section: PromptSection, depth = 2): string {
  const children = section.children.map((child) => writeMarkdown(child, depth + 1))
  return markdownHead(section, depth) + children.join('')
}

/** The text of a section but for its children. */
export function markdownHead(section: PromptSection, depth = 2): string {
  return keptHeads([section], `${depth}`, () => {
    const { title, blocks } = section
    const [first] = blocks
    const bare = first?.kind === 'body' && first.plain && isPlainMarkdown(first.text)
    const heading = bare ? [] : [`${'#'.repeat(depth)} ${title}`]
    const texts = blocks.map((block) => (bare && block === first ? first.text : writeBlock(block)))
    return [...heading, ...texts].map((text) => `${text}\n\n`).join('')
  })
}

function writeBlock(block: PromptBlock): string {
  switch (block.kind) {
    case 'prose':
      return block.text
    case 'body':
      return fence(block.text)
    case 'facts':
      return block.facts.map(({ label, value }) => `- ${label}: ${value}`).join('\n')
    case 'items':
      return block.items.map(markdownItem).join('\n')
  }
}

/** One item of a list, with its facts on lines below it. */
export function markdownItem({ name, summary, marks, facts }: PromptItem): string {
  const remarks = marks.length === 0 ? '' : ` (${marks.join(', ')})`
  const rest = summary === '' ? '' : `: ${summary}`
  const lines = facts.map(({ label, value }) => `\n  - ${label}: ${value}`)
  return `- ${codeSpan(name)}${remarks}${rest}${lines.join('')}`
}
