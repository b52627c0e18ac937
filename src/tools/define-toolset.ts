import * as z from 'zod'
import { type ContentHash, contentHash } from '../kernel/content-hash.ts'
import {
  checkFields,
  checkParsed,
  definitionError,
  type FieldRules,
} from '../kernel/check-fields.ts'
import { isObject } from '../kernel/json-value.ts'
import { parseToolReference, toolName } from './definition/parse-tool-reference.ts'
import type { Tool } from './definition/tool.ts'

/** A named, documented group of tools. */
export interface Toolset {
  readonly name: string
  readonly description: string
  /** Markdown that a model reads when it loads the toolset. */
  readonly instructions: string
  /** Rules for its tools, in Markdown. A model reads them once, when it finds one of the tools. */
  readonly rules?: string
  /** Tools by value, or shared tools of the catalog by name (`search`, `search@^1`). */
  readonly tools: readonly (Tool | string)[]
  /** Servers whose tools come with the skills that have the toolset; absent for none. */
  readonly servers?: readonly string[]
  readonly hash: ContentHash
  /** The file it was read from; not part of the hash. */
  readonly path?: string
}

/** The definition of a toolset. */
export interface ToolsetSpec
  extends Omit<Toolset, 'instructions' | 'hash'>, Partial<Pick<Toolset, 'instructions'>> {}

const filled = z.string().refine((text) => text.trim() !== '', 'must not be empty')

const toolsetSchema = z.object({
  name: toolName,
  description: filled,
  instructions: z.string().optional(),
  rules: filled.optional(),
  tools: z.array(
    z.custom<Tool | string>(
      (value) =>
        typeof value === 'string' || (isObject(value) && 'hash' in value && 'parseInput' in value),
      'must be a tool or the name of one',
    ),
  ),
  servers: z.array(toolName).optional(),
  path: z.string().optional(),
})

const TOOLSET: FieldRules = {
  kind: 'a toolset',
  subject: 'Toolset',
  code: 'TOOLSET_INVALID',
  name: { field: 'name', fact: 'toolset' },
  fields: Object.keys(toolsetSchema.shape),
  synonyms: { prompt: 'instructions', body: 'instructions', workDirection: 'instructions' },
  hint: 'See Toolset for the values of each field.',
}

/** Groups tools under a name. Throws `TOOLSET_INVALID`, which names the field. */
export function defineToolset(spec: ToolsetSpec): Toolset {
  checkFields(spec, TOOLSET)
  checkParsed(spec, toolsetSchema.safeParse(spec), TOOLSET)
  const { name, description, instructions = '', rules, tools, servers = [], path } = spec
  const names = tools.map((tool) =>
    typeof tool === 'string' ? parseToolReference(tool).name : tool.name,
  )
  const twice = names.find((one, index) => names.indexOf(one) !== index)
  if (twice !== undefined) {
    throw definitionError(spec, 'tools', `"${twice}" is in it twice`, TOOLSET)
  }
  const contents = tools.map((tool) => (typeof tool === 'string' ? tool : tool.hash))
  const texts = { name, description, instructions, ...(rules !== undefined && { rules }) }
  // Only with servers, so that the hashes of other toolsets stay the same.
  const brought = servers.length > 0 ? { servers: Object.freeze([...servers]) } : {}
  return Object.freeze({
    ...texts,
    tools: Object.freeze([...tools]),
    ...brought,
    hash: contentHash({ ...texts, tools: contents, ...brought }),
    ...(path !== undefined && { path }),
  })
}
