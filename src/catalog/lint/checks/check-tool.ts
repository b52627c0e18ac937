import type { Catalog } from '../../create/catalog.ts'
import { unknownRelated } from '../../create/unknown-reference.ts'
import type { Diagnostic, Severity } from '../../../kernel/diagnostic.ts'
import { isObject } from '../../../kernel/json-value.ts'
import { didYouMean, nearestNames } from '../../../kernel/nearest-names.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { keywordValue, schemaPlaces } from '../../../schema/interpreter/subschemas.ts'
import { providerSchema } from '../../../schema/provider-forms/provider-schema.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** Tokens of a tool in every request: name, description and schema. */
const MAX_TOKENS = 1_000

/** Tokens of its summary, which represents it in prompts. */
const MAX_SUMMARY = 120

/**
 * Checks that a tool can be found and its results remembered: its phrases, topic, related tools and
 * extraction. Also checks its length in tokens.
 *
 * @param tools the names of all tools
 * @param topics those that have rules
 */
export function checkTool(
  tool: Tool,
  file: string,
  tools: ReadonlySet<string>,
  topics: ReadonlySet<string>,
  counter: TokenCounter,
): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  const add = (severity: Severity, code: string, message: string, hint: string) =>
    found.push({ code, severity, message, hint, file })
  const { name } = tool
  if (tool.phrases.length === 0) {
    add(
      'info',
      'phrases-missing',
      `The tool "${name}" has no phrases: a search finds it by its name and description only.`,
      'Add two or three requests that a user would write (phrases).',
    )
  }
  reportTopic(tool, topics, add)
  for (const { severity, code, message, hint } of unknownRelated(tool, tools)) {
    add(severity, code, message, hint)
  }
  if (tool.extraction !== undefined && tool.extract !== undefined) {
    add(
      'warning',
      'extraction-twice',
      `The tool "${name}" has an extraction schema and an extract function; the function is used.`,
      'Keep one of the two.',
    )
  }
  const unmatched = unmatchedExtraction(tool)
  if (unmatched !== null) {
    add(
      'warning',
      'extraction-unmatched',
      `The extraction of "${name}" finds nothing in its results: ${unmatched}.`,
      'Correct path, isArray, nameField and idField, or the output schema.',
    )
  }
  reportSchema(tool, add)
  const { description, inputSchema } = tool
  const definition = JSON.stringify({ name, description, inputSchema })
  const tokens = counter.count(definition)
  if (tokens > MAX_TOKENS) {
    add(
      'warning',
      'tool-tokens',
      `The definition of "${name}" has ${counter.isUpperBound?.(definition) === true ? 'up to ' : ''}${tokens} tokens (${counter.name}); ${MAX_TOKENS} are enough for most.`,
      'Shorten descriptions, and move explanations into doc.md, which is read on demand.',
    )
  }
  const summary = counter.count(tool.summary)
  if (summary > MAX_SUMMARY) {
    add(
      'warning',
      'summary-tokens',
      `The summary of "${name}" has ${summary} tokens (${counter.name}); ${MAX_SUMMARY} are enough for four lines.`,
      'Describe in two to four short lines what it does and when to use it.',
    )
  }
  return found
}

/** Reports what providers get otherwise of a schema, and its formats, which only a schema with a parser checks. */
function reportSchema(
  { name, inputSchema }: Tool,
  add: (severity: Severity, code: string, message: string, hint: string) => void,
): void {
  for (const provider of ['openai', 'anthropic'] as const) {
    const [first, ...more] = providerSchema(inputSchema, provider).losses
    if (first === undefined) continue
    const others = more.length === 0 ? '' : ` There are ${more.length} more changes.`
    add(
      'info',
      'schema-sent-otherwise',
      `The schema of "${name}" is changed for ${provider}, which does not take it as written: ${first.message}${others}`,
      'Nothing has to be done: calls are checked with the schema as written, and arguments come back under their own keys.',
    )
  }
  const places = schemaPlaces(inputSchema).values().filter(isObject)
  const formats = new Set(
    places.map((one) => keywordValue(one, 'format')).filter((one) => one !== undefined),
  )
  if (formats.size === 0) return
  add(
    'info',
    'format-unchecked',
    `The schema of "${name}" has the format ${[...formats].map(String).join(', ')}: a format is advice for the model, and only a schema with a parser of its own, such as zod, checks it.`,
    'Check the value in the handler, add a pattern, or define the tool with a zod schema.',
  )
}

/** Reports what is wrong with the topic of a tool, where there are rules for topics. */
function reportTopic(
  { name, topic }: Tool,
  topics: ReadonlySet<string>,
  add: (severity: Severity, code: string, message: string, hint: string) => void,
): void {
  if (topic === undefined && topics.size > 0) {
    add(
      'info',
      'topic-missing',
      `The tool "${name}" has no topic, so the model reads no rules with it.`,
      `Give it a topic: there are rules for ${[...topics].slice(0, 5).join(', ')}.`,
    )
  } else if (topic !== undefined && topics.size > 0 && !topics.has(topic)) {
    add(
      'info',
      'topic-without-rules',
      `The tool "${name}" has the topic "${topic}", which has no rules.`,
      didYouMean(
        nearestNames(topic, topics, 2),
        'Write rules/<topic>.md, if the topic needs rules.',
      ),
    )
  }
}

/** Returns what the output schema of a tool says against its extraction; null when it says nothing against it. */
function unmatchedExtraction({ extraction, outputSchema, extract }: Tool): string | null {
  if (extraction === undefined || extract !== undefined) return null
  const { path, isArray = false, nameField, idField = 'id' } = extraction
  const keys = path === '$root' ? [] : path.replace(/^\$root\./u, '').split('.')
  let schema: unknown = outputSchema
  for (const key of keys) {
    const found = memberSchema(schema, key)
    if (found === null) return `the output schema has nothing at "${path}"`
    schema = found
  }
  const type = isObject(schema) ? schema['type'] : undefined
  if (type === (isArray ? 'object' : 'array')) {
    return `at "${path}" there is ${isArray ? 'no list' : 'a list'} (isArray)`
  }
  const row = isArray && isObject(schema) ? schema['items'] : schema
  const missing = [idField, nameField].filter((field) => memberSchema(row, field) === null)
  return missing.length === 0
    ? null
    : `at "${path}" there is no ${missing.map((field) => `"${field}"`).join(' and no ')}`
}

/** Returns the schema of a member; null when there is none of that name, undefined when the schema does not say. */
function memberSchema(schema: unknown, key: string): unknown {
  const members = isObject(schema) ? schema['properties'] : undefined
  if (!isObject(members)) return undefined
  return Object.hasOwn(members, key) ? members[key] : null
}

/**
 * Checks for skills that have different tools of the same name. The second of them cannot be activated,
 * unless its `on-conflict` says otherwise. Skills that exclude each other are not reported.
 */
export function checkSharedNames({ skills, skillTools }: Catalog): readonly Diagnostic[] {
  const first = new Map<string, { readonly skill: string; readonly hash: string }>()
  const found: Diagnostic[] = []
  for (const [name, tools] of skillTools) {
    const skill = skills.get(name)
    for (const { tool } of tools) {
      const before = first.get(tool.name)
      if (before === undefined) {
        first.set(tool.name, { skill: name, hash: tool.hash })
        continue
      }
      const other = skills.get(before.skill)
      if (before.hash === tool.hash || skill === undefined || other === undefined) continue
      if (skill.onConflict !== 'refuse' || skill.exclusive || other.exclusive) continue
      if (skill.conflicts.includes(other.name) || other.conflicts.includes(name)) continue
      found.push({
        code: 'tool-name-taken',
        severity: 'warning',
        message: `The skills "${other.name}"${inBrackets(other)} and "${name}"${inBrackets(skill)} have different tools named "${tool.name}": only one of the two skills can be active.`,
        hint: 'Rename one of the tools, or set `loadout.on-conflict` to shadow or namespace.',
        ...(skill.path !== undefined && { file: skill.path }),
      })
    }
  }
  return found
}

function inBrackets({ path }: { readonly path?: string }): string {
  return path === undefined ? '' : ` (${path})`
}
