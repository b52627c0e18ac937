import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { PromptTier } from '../../../engine/model/modes.ts'
import { isMeta } from '../../../engine/model/source-event.ts'
import { sentName } from '../../../engine/standing/assess.ts'
import { availableSkillRows, skillOf, type ToolRow } from '../../../engine/standing/tool-table.ts'
import type { JsonSchema } from '../../../kernel/json-value.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { newSection, SECTION_PREFIX, SECTION_TITLE } from '../document/new-section.ts'
import type { Fact, PromptItem, PromptSection } from '../document/prompt-document.ts'
import type { PromptInput, SchemasInRequest } from '../document/prompt-input.ts'
import type { ReuseSection } from '../document/reuse-section.ts'
import { asRecord } from './compact-signature.ts'

/** Options of the lists of tools. */
interface ToolListShape extends Pick<PromptInput, 'namesFor'> {
  readonly schemasInRequest: SchemasInRequest
  readonly tier: PromptTier
}

/** Lists the tools of a table that can be called now by their source, each once. */
export function toolSections(
  catalog: Catalog,
  tools: readonly ToolRow[],
  shape: ToolListShape,
  reuse: ReuseSection,
): {
  /** One for each active skill with an available tool, in the order of activation. */
  readonly skillTools: readonly PromptSection[]
  /** Tools of components and global tools of which the request does not say the same; null when there are none. */
  readonly available: PromptSection | null
} {
  const list = sectionLister(shape, reuse)
  const others = tools.filter(
    (row) => row.status === 'available' && skillOf(row) === undefined && !repeatsSchema(row, shape),
  )
  return {
    skillTools: availableSkillRows(tools).map(({ skill, rows }) => {
      const displayName = catalog.skills.get(skill)?.displayName ?? skill
      return list(`skill-tools/${skill}`, displayName, rows, (items) =>
        skillToolsSection(skill, displayName, items),
      )
    }),
    available: others.length === 0 ? null : list('available-tools', '', others, availableSection),
  }
}

/** Makes a section of rows, or reuses the last one while the same tools are shown in the same way. */
function sectionLister(shape: ToolListShape, reuse: ReuseSection) {
  const { schemasInRequest, tier, namesFor } = shape
  return (
    id: string,
    heading: string,
    rows: readonly ToolRow[],
    make: (items: readonly PromptItem[]) => PromptSection,
  ): PromptSection => {
    const shown = rows.map(({ name, asks, owner }) => [name, asks, owner.source, owner.owner])
    const definitions = rows.flatMap(({ tool }) => tool ?? [])
    const key = JSON.stringify([heading, schemasInRequest, tier, namesFor, shown])
    return reuse(id, definitions, key, () => make(rows.map((row) => toolItem(row, shape))))
  }
}

function availableSection(items: readonly PromptItem[]): PromptSection {
  return newSection({
    kind: 'available-tools',
    title: SECTION_TITLE.availableTools,
    stability: 'step',
    blocks: [{ kind: 'items', items }],
  })
}

/** The SKILL TOOLS section of one active skill. */
export function skillToolsSection(
  skill: string,
  displayName: string,
  items: readonly PromptItem[],
): PromptSection {
  return newSection({
    kind: 'skill-tools',
    id: `skill-tools/${skill}`,
    title: `${SECTION_PREFIX.skillTools} ${sanitiseLine(displayName) || sanitiseLine(skill)}`,
    source: 'skill',
    owner: skill,
    stability: 'step',
    blocks: [{ kind: 'items', items }],
  })
}

/** Returns true for a tool of which the section would say only what its definition in the request says. */
function repeatsSchema(
  { tool, owner, asks }: ToolRow,
  { schemasInRequest }: ToolListShape,
): boolean {
  const isSent = schemasInRequest === true || (schemasInRequest !== false && isMeta(owner))
  if (!isSent || asks || tool === undefined || tool.background) return false
  return tool.description.includes(tool.summary)
}

/**
 * A tool as a prompt lists it: name and summary, and its arguments when the request does not carry
 * its schema. In the tier `full`, the latter also have their description in place of the summary.
 */
function toolItem(
  { name, tool, owner, asks }: ToolRow,
  { schemasInRequest, tier, namesFor }: ToolListShape,
): PromptItem {
  const isSent = schemasInRequest === true || (schemasInRequest !== false && isMeta(owner))
  return {
    name: sanitiseLine(sentName(name, namesFor)),
    summary: sanitiseLine((isSent || tier === 'summary' ? tool?.summary : tool?.description) ?? ''),
    marks: [...(asks ? ['asks first'] : []), ...(tool?.background ? ['answers later'] : [])],
    facts: tool === undefined || isSent ? [] : argumentFacts(tool.inputSchema),
    origin: { source: owner.source, owner: owner.owner },
    ...(tool !== undefined && { tool }),
  }
}

/** The most values of an enum that are listed. */
const MOST_CHOICES = 12

/**
 * The arguments of a tool, one line each: name (with `?` when optional), type, description. For
 * prompts whose request does not carry the schema; nested values are described by their type alone.
 */
export function argumentFacts(schema: JsonSchema): Fact[] {
  const properties = asRecord(schema['properties'])
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(properties).map(([name, value]) => {
    const argument = asRecord(value)
    const optional = required.has(name) ? '' : '?'
    const description = argument['description']
    return {
      label: sanitiseLine(`${name}${optional}`),
      value: sanitiseLine(
        typeof description === 'string' && description !== ''
          ? `${shortType(argument)}, ${description}`
          : shortType(argument),
      ),
    }
  })
}

function shortType(schema: JsonSchema, depth = 0): string {
  const choices = schema['enum']
  if (Array.isArray(choices)) {
    const listed = choices.slice(0, MOST_CHOICES).map((choice) => JSON.stringify(choice))
    return listed.join(' | ') + (choices.length > MOST_CHOICES ? ' | …' : '')
  }
  if ('const' in schema) return JSON.stringify(schema['const'])
  const type = schema['type']
  if (type === 'array') {
    return depth > 2 ? 'list' : `list of ${shortType(asRecord(schema['items']), depth + 1)}`
  }
  if (typeof type === 'string') return type
  return Array.isArray(type) ? type.join(' | ') : 'any'
}
