import type { JsonSchema } from '../../../kernel/json-value.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { newSection } from '../document/new-section.ts'
import { distinctDisplayName } from './skill-section.ts'
import type { PromptItem } from '../document/prompt-document.ts'
import { compactSignature } from './compact-signature.ts'
import { skillToolsSection } from './tool-sections.ts'
import { writeSection, type PromptFormat } from '../forms/write-prompt.ts'
import type { OptionsOf } from '../../../kernel/check-options.ts'

export interface RenderOptions {
  /** `text` (boxes) by default. */
  readonly format?: PromptFormat
  /** Columns of a box, 80 by default. */
  readonly width?: number
  /** True to list tools with their arguments, such as `find(query: string)`; off by default. */
  readonly signatures?: boolean
}

export const RENDER_OPTIONS: OptionsOf<RenderOptions> = {
  format: ['markdown', 'xml', 'text'],
  width: 'number',
  signatures: 'switch',
}

/** A tool as these sections show it. */
export interface ToolLine {
  readonly name: string
  readonly summary: string
  /** For its signature. */
  readonly inputSchema?: JsonSchema
}

/** A skill as these sections show it. */
export interface SkillLine {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly active: boolean
}

/** Writes the `SKILL TOOLS: <displayName>` section of one skill; null when it has no tools. */
export function renderSkillToolsSection(
  displayName: string,
  tools: readonly ToolLine[],
  options: RenderOptions = {},
): string | null {
  if (tools.length === 0) return null
  const section = skillToolsSection(displayName, displayName, toolLineItems(tools, options))
  return writeSection(section, options.format ?? 'text', options.width)
}

/** Writes a section that lists tools, whatever their source; null when there are none. */
export function renderToolSection(
  tools: readonly ToolLine[],
  options: RenderOptions = {},
): string | null {
  return renderItems('available-tools', 'Available tools', toolLineItems(tools, options), options)
}

/** Writes a section that lists skills and marks the active ones; null when there are none. */
export function renderSkillsSection(
  skills: readonly SkillLine[],
  options: RenderOptions = {},
): string | null {
  const items = skills.map(({ name, displayName, description, active }) => {
    const id = sanitiseLine(name)
    const called = distinctDisplayName(name, displayName)
    const marks = [...(called === '' ? [] : [called]), ...(active ? ['active'] : [])]
    return { name: id, summary: sanitiseLine(description), marks, facts: [] }
  })
  return renderItems('skill-catalog', 'Skills', items, options)
}

function toolLineItems(
  tools: readonly ToolLine[],
  { signatures = false }: RenderOptions,
): readonly PromptItem[] {
  return tools.map(({ name, summary, inputSchema }) => {
    const isSigned = signatures && inputSchema !== undefined
    const title = isSigned ? compactSignature(name, inputSchema).text : name
    return { name: sanitiseLine(title), summary: sanitiseLine(summary), marks: [], facts: [] }
  })
}

function renderItems(
  kind: 'available-tools' | 'skill-catalog',
  title: string,
  items: readonly PromptItem[],
  { format = 'text', width }: RenderOptions,
): string | null {
  if (items.length === 0) return null
  const section = newSection({
    kind,
    title,
    stability: 'step',
    blocks: [{ kind: 'items', items }],
  })
  return writeSection(section, format, width)
}
