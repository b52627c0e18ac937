import { displayWidth, padToWidth, truncateToWidth } from '../../../kernel/display-width.ts'
import type { PromptBlock, PromptItem, PromptSection } from '../document/prompt-document.ts'
import { wrapLines } from '../../../kernel/wrap-lines.ts'

/** Columns of a box when nobody says. */
export const BOX_WIDTH = 80

/** The narrowest box; a smaller width is taken as this. */
const NARROWEST = 24

/**
 * A section in a box, for people: every line is exactly `width` columns wide. Tools of a skill
 * stand in a double-ruled box with a centred title, all else in a light one.
 */
export function writeBoxed(section: PromptSection, width: number = BOX_WIDTH): string {
  const outer = Math.max(width, NARROWEST)
  const inner = outer - 4
  const lines = linesOf(section, inner)
  return section.kind === 'skill-tools'
    ? doubleBox(section.title, lines, inner)
    : lightBox(section.title, lines, inner)
}

function doubleBox(title: string, lines: readonly string[], inner: number): string {
  const rule = '═'.repeat(inner + 2)
  const heading = padToWidth(truncateToWidth(title, inner), inner, 'centre')
  return [
    `╔${rule}╗`,
    `║ ${heading} ║`,
    `╠${rule}╣`,
    ...lines.map((line) => `║ ${padToWidth(line, inner)} ║`),
    `╚${rule}╝\n`,
  ].join('\n')
}

function lightBox(title: string, lines: readonly string[], inner: number): string {
  const heading = truncateToWidth(title, inner - 1)
  return [
    `┌─ ${heading} ${'─'.repeat(inner - 1 - displayWidth(heading))}┐`,
    ...lines.map((line) => `│ ${padToWidth(line, inner)} │`),
    `└${'─'.repeat(inner + 2)}┘\n`,
  ].join('\n')
}

/** Blocks apart by an empty line; children below them, named and set in. */
function linesOf({ blocks, children }: PromptSection, columns: number): string[] {
  const parts = [
    ...blocks.map((block) => blockLines(block, columns)),
    ...children.map((child) => [
      ...wrapLines(child.title, columns),
      ...linesOf(child, columns - 2).map((line) => (line === '' ? '' : `  ${line}`)),
    ]),
  ]
  return parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function blockLines(block: PromptBlock, columns: number): string[] {
  switch (block.kind) {
    case 'prose':
    case 'body':
      return wrapLines(block.text, columns)
    case 'facts':
      return block.facts.flatMap(({ label, value }) => wrapLines(`${label}: ${value}`, columns, 2))
    case 'items':
      return block.items.flatMap((item) => itemLines(item, columns))
  }
}

function itemLines({ name, summary, marks, facts }: PromptItem, columns: number): string[] {
  const remarks = marks.length === 0 ? '' : ` (${marks.join(', ')})`
  const rest = summary === '' ? '' : `: ${summary}`
  return [
    ...wrapLines(`${name}${remarks}${rest}`, columns, 2),
    ...facts.flatMap(({ label, value }) => wrapLines(`  ${label}: ${value}`, columns, 2)),
  ]
}
