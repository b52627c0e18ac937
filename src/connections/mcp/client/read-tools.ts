import { setImmediate } from 'node:timers/promises'
import { defineTool, type JsonSchema, type Tool } from '../../../entries/index.ts'
import {
  isObject,
  matchesPattern,
  sanitiseLine,
  thrownMessage,
  usableToolName,
} from '../../../entries/kit.ts'
import { annotatedFields } from '../../../tools/definition/annotated-fields.ts'
import { nameWithoutServer } from '../../../tools/definition/matches-tool.ts'
import type { ServerListing } from '../../../tools/definition/tool-server.ts'
import { Budget } from '../../../workspace/commands/budget.ts'

/** Tools of one server. The others are left out. */
const MOST_TOOLS = 1_000

/** Characters of JSON of one definition. */
const LONGEST_DEFINITION = 65_536

/** Characters of the instructions of a server, and of a name that is shown. */
const LONGEST_INSTRUCTIONS = 16_000

const LONGEST_SHOWN = 128

/** Characters of a reason: it may quote the server. */
const LONGEST_REASON = 500

/** Tools that are left out, and listed one by one. */
const MOST_LISTED = 100

/** Milliseconds for which a long list is read before other work of this process continues. */
const LONGEST_TURN_MS = 25

/** The terms on which the tools of a server are read. */
export interface ListingTerms {
  /** The name of the server. */
  readonly name: string
  readonly prefix: string
  /** Patterns of the names that the server gives; all when absent. */
  readonly tools?: readonly string[] | undefined
  readonly trusted: boolean
  /** True where arguments are sent as headers, too: over HTTP, since 2026-07-28. */
  readonly sendsHeaders?: boolean
}

type LeftOut = ServerListing['leftOut'][number]

/** A listing, and the names that the server has for its tools, by the names in their definitions. */
export interface ReadListing {
  readonly listing: ServerListing
  readonly sentNames: ReadonlyMap<string, WireTool>
}

/** A tool as the server describes it; nothing but its name is checked. */
export interface WireTool {
  readonly name: string
  readonly inputSchema: { readonly type: 'object' }
}

/**
 * Reads the tools that a server lists. A tool that cannot be used is left out with the reason, and never makes the
 * others fail. Names are the prefix of the host with the name of the tool; letters that no name can have become
 * hyphens.
 *
 * @param endless says how a list went on that does not end
 */
export async function readTools(
  given: readonly unknown[],
  instructions: string | undefined,
  terms: ListingTerms,
  endless?: string,
): Promise<ReadListing> {
  const tools = new Map<string, Tool>()
  const sentNames = new Map<string, WireTool>()
  const leftOut: LeftOut[] = []
  const withoutOutput: LeftOut[] = []
  let hidden = 0
  const note = (tool: string, reason: string, noted: LeftOut[]) => {
    if (noted.length >= MOST_LISTED) return false
    const name = tool === '' ? undefined : usableToolName(`${terms.prefix}${tool}`)
    const shown = sanitiseLine(tool.slice(0, LONGEST_SHOWN))
    const why = sanitiseLine(reason.slice(0, LONGEST_REASON))
    const isOther = name !== undefined && name !== `${terms.name}_${tool}`
    noted.push({ tool: shown, ...(isOther && { name }), reason: why })
    return true
  }
  const leave = (tool: string, reason: string) => {
    if (!note(tool, reason, leftOut)) hidden += 1
  }
  let since = performance.now()
  for (const one of given) {
    if (performance.now() - since > LONGEST_TURN_MS) {
      await setImmediate()
      since = performance.now()
    }
    const name = isObject(one) && typeof one['name'] === 'string' ? one['name'] : ''
    if (!isObject(one) || name === '') {
      leave('', 'It has no name.')
      continue
    }
    if (terms.tools?.some((pattern) => matchesPattern(pattern, name)) === false) continue
    try {
      if (tools.size >= MOST_TOOLS) throw new Error(`The server has over ${MOST_TOOLS} tools.`)
      const tool = readTool(one, name, terms, (reason) => note(name, reason, withoutOutput))
      if (tools.has(tool.name)) throw new Error(`Another tool is named "${tool.name}".`)
      tools.set(tool.name, tool)
      sentNames.set(tool.name, one as unknown as WireTool)
    } catch (error) {
      leave(name, thrownMessage(error))
    }
  }
  if (hidden > 0) leftOut.push({ tool: '', reason: `${hidden} more tools are left out.` })
  if (endless !== undefined) leftOut.push({ tool: '', reason: endless })
  const text = instructions?.trim().slice(0, LONGEST_INSTRUCTIONS).toWellFormed() ?? ''
  return {
    listing: {
      tools: [...tools.values()],
      leftOut,
      ...(withoutOutput.length > 0 && { withoutOutput }),
      ...(endless !== undefined && { isEndless: true }),
      ...(text !== '' && { instructions: text }),
    },
    sentNames,
  }
}

/** Returns a text that differs when a listing does. */
export function listingText({ listing: { tools, leftOut, instructions } }: ReadListing): string {
  return JSON.stringify([tools.map(({ hash }) => hash), leftOut, instructions])
}

/** Pages of a list. */
const MOST_PAGES = 64

interface Page<Entry> {
  readonly entries: readonly Entry[]
  readonly nextCursor?: string | undefined
}

/**
 * Reads the pages of a list, such as that of tools. An entry of an earlier page is left out. Pages that lead in a circle, or
 * never end, are read as far as they have other entries and within their budget.
 */
export async function readPages<Entry>(
  what: string,
  ask: (params: { readonly cursor?: string }) => Promise<Page<Entry>>,
): Promise<{
  readonly entries: readonly Entry[]
  readonly bytes: number
  readonly endless?: string
}> {
  const entries: Entry[] = []
  // The others are the result of a call, which is cut.
  const list = new Budget(what === 'tools' ? 'list' : 'answeredList')
  let bytes = 0
  const seen = new Set<string>()
  const known = new Set<string>()
  const added: string[] = []
  let cursor: string | undefined
  const end = (how: string) => {
    const endless = `Its list of ${what} never ends: ${how}. The ${what} that came are offered.`
    return { entries, bytes, endless }
  }
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const result = await ask(cursor === undefined ? {} : { cursor })
    const before = known.size
    for (const one of result.entries) {
      const json = JSON.stringify(one)
      if (known.has(json)) continue
      const over = list.take(json.length)
      if (over !== null) return end(over)
      bytes += json.length
      entries.push(one)
      // The same one may be on one page twice: then it is left out with a reason.
      added.push(json)
    }
    for (const json of added.splice(0)) known.add(json)
    // A page may be large. Other work of this process runs before the next one, or what is made of them.
    await setImmediate()
    cursor = result.nextCursor
    if (cursor === undefined) return { entries, bytes }
    const isKnown = result.entries.length > 0 && known.size === before
    if (seen.has(cursor) || isKnown) return end('a page leads back to an earlier one')
    seen.add(cursor)
  }
  return end(`over ${MOST_PAGES} pages`)
}

type Members = Readonly<Record<string, unknown>>

/**
 * Reads one tool. Throws for one that cannot be used. One whose output schema cannot be used is used without it: its
 * arguments can be checked.
 *
 * @param onOutput gets the reason
 */
function readTool(
  given: Members,
  name: string,
  { name: server, prefix, trusted, sendsHeaders = false }: ListingTerms,
  onOutput: (reason: string) => void,
): Tool {
  const { description, title, inputSchema, outputSchema, annotations, execution } = given
  if (isObject(execution) && execution['taskSupport'] === 'required') {
    throw new Error('It only runs as a task, and tasks are not supported.')
  }
  const { length } = JSON.stringify([description, inputSchema, annotations])
  const tooLong = (long: number) => `has ${long} characters, over ${LONGEST_DEFINITION}.`
  if (length > LONGEST_DEFINITION) throw new Error(`Its definition ${tooLong(length)}`)
  const named = usableToolName(`${prefix}${name}`)
  if (named === undefined) throw new Error('Its name cannot be used.')
  if (!isObject(inputSchema)) throw new Error('It has no input schema.')
  const problem = sendsHeaders ? headerProblem(inputSchema) : null
  if (problem !== null) throw new Error(problem)
  const define = (output?: JsonSchema) =>
    defineTool({
      name: named,
      description: textOf(description) ?? textOf(title) ?? `Calls ${named}.`,
      ...annotatedFields(annotations, {}, trusted, title),
      inputSchema: inputSchema as JsonSchema,
      ...(output && { outputSchema: output }),
    }) as Tool
  const whole = JSON.stringify(outputSchema ?? '').length + length
  let tool: Tool
  try {
    if (whole > LONGEST_DEFINITION) throw new Error(`With it, its definition ${tooLong(whole)}`)
    tool = define(isObject(outputSchema) ? (outputSchema as JsonSchema) : undefined)
  } catch (error) {
    // Throws again for a tool that cannot be used at all.
    tool = define()
    onOutput(thrownMessage(error))
  }
  return nameWithoutServer(named, server) === name
    ? tool
    : Object.freeze({ ...tool, nameOnServer: name })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

const HEADER = 'x-mcp-header'

/** A name that a header can have. */
const HEADER_NAME = /^[\w!#$%&'*+\-.^`|~]+$/u

/** The types of arguments that can be sent as a header. */
const HEADER_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/** Members of a schema that are values. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/** Returns why arguments cannot be sent as the headers that a schema asks for, or null if they can. */
function headerProblem(schema: Members): string | null {
  const names = new Set<string>()
  const problemOf = (given: unknown, isArgument: boolean): string | null => {
    if (Array.isArray(given)) return firstProblem(given, false)
    if (!isObject(given)) return null
    if (HEADER in given) {
      const header = given[HEADER]
      if (typeof header !== 'string' || !HEADER_NAME.test(header)) {
        return `"${HEADER}" is no name of a header.`
      }
      if (!isArgument || !HEADER_TYPES.has(given['type'])) {
        return `"${HEADER}" is only for arguments that are a string, an integer or a boolean.`
      }
      const name = header.toLowerCase()
      if (names.has(name)) return `Two arguments have the header "${header}".`
      names.add(name)
    }
    for (const [key, member] of Object.entries(given)) {
      const isProperties = key === 'properties' && isObject(member)
      const members = isProperties ? Object.values(member) : VALUES.has(key) ? [] : [member]
      const problem = firstProblem(members, isProperties && (isArgument || given === schema))
      if (problem !== null) return problem
    }
    return null
  }
  const firstProblem = (all: readonly unknown[], isArgument: boolean): string | null => {
    for (const one of all) {
      const problem = problemOf(one, isArgument)
      if (problem !== null) return problem
    }
    return null
  }
  return problemOf(schema, false)
}
