import { z } from 'zod'
import { type ContentHash, contentHash } from '../kernel/content-hash.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import { parseToolReference, toolName } from './definition/parse-tool-reference.ts'
import type { Tool } from './definition/tool.ts'

/** A named, documented group of tools. */
export interface Toolset {
  readonly name: string
  readonly description: string
  /** Markdown a model reads when it loads the toolset. */
  readonly instructions: string
  /** How its tools are to be used, in Markdown: told once, when a model finds one of them. */
  readonly rules?: string
  /** Tools by value, or by name (`search`, `search@^1`) among the catalog's shared tools. */
  readonly tools: readonly (Tool | string)[]
  readonly hash: ContentHash
  /** The file it was read from. */
  readonly path?: string
}

/** What an author says about a toolset. */
export interface ToolsetSpec {
  readonly name: string
  readonly description: string
  /** Markdown a model reads when it loads the toolset. */
  readonly instructions?: string
  /** How its tools are to be used, in Markdown: told once, when a model finds one of them. */
  readonly rules?: string
  /** Tools by value, or by name (`search`, `search@^1`) among the catalog's shared tools. */
  readonly tools: readonly (Tool | string)[]
  /** The file it was read from; no part of the hash. */
  readonly path?: string
}

const fields = z.strictObject({
  name: toolName,
  description: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
  instructions: z.string().optional(),
  rules: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be empty')
    .optional(),
  tools: z.array(z.custom<Tool | string>(isToolOrName, 'must be a tool or the name of one')),
  path: z.string().optional(),
})

/** Group tools under a name. Throws `TOOLSET_INVALID`, which names the field. */
export function defineToolset(spec: ToolsetSpec): Toolset {
  const result = fields.safeParse(spec)
  if (!result.success) {
    const [issue] = result.error.issues
    throw toolsetInvalid(spec, issue?.path.join('.') ?? '', issue?.message ?? 'is wrong')
  }
  const { name, description, instructions = '', rules, tools, path } = spec
  const names = tools.map(nameOf)
  const twice = names.find((one, index) => names.indexOf(one) !== index)
  if (twice !== undefined) throw toolsetInvalid(spec, 'tools', `"${twice}" is in it twice`)
  const contents = tools.map((tool) => (typeof tool === 'string' ? tool : tool.hash))
  const told = { name, description, instructions, ...(rules !== undefined && { rules }) }
  return Object.freeze({
    ...told,
    tools: Object.freeze([...tools]),
    hash: contentHash({ ...told, tools: contents }),
    ...(path !== undefined && { path }),
  })
}

function nameOf(tool: Tool | string): string {
  return typeof tool === 'string' ? parseToolReference(tool).name : tool.name
}

function isToolOrName(value: unknown): boolean {
  if (typeof value === 'string') return true
  return typeof value === 'object' && value !== null && 'hash' in value && 'parseInput' in value
}

function toolsetInvalid({ name }: ToolsetSpec, field: string, what: string): WorkspaceError {
  return new WorkspaceError(
    'TOOLSET_INVALID',
    `Toolset "${String(name)}", field "${field}": ${what}.`,
    { facts: { toolset: name, field }, hint: 'See Toolset for what each field takes.' },
  )
}
