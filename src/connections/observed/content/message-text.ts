import { isObject } from '../../../entries/kit.ts'
import type { ObservedUsage } from '../observation.ts'
import { list, memberIn, number, object, text } from './text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** Returns a message of a request as one text: what a prompt cache compares. Marks of the cache are no part of it. */
export function messageText(message: unknown): string {
  const { role, content, cache_control: _, ...more } = object(message)
  const parts = typeof content === 'string' ? [content] : list(content).map(partText)
  const rest = Object.keys(more).length === 0 ? [] : [JSON.stringify(more)]
  return [text(role) || text(more['type']), ...parts, ...rest].join('\n')
}

function partText(part: unknown): string {
  const { cache_control: _, ...own } = object(part)
  const said = own['text'] ?? own['content']
  if (typeof said !== 'string') return JSON.stringify(own)
  const { text: _text, content: _content, type, ...more } = own
  const isPlain = Object.keys(more).length === 0
  return isPlain ? said : `${JSON.stringify({ type, ...more })}\n${said}`
}

/** The parameters that a prompt depends on, in the three APIs. */
const SETTINGS = [
  'model',
  'tool_choice',
  'thinking',
  'speed',
  'reasoning',
  'reasoning_effort',
  'text',
  'verbosity',
  'response_format',
  'prompt_cache_key',
]

/** Returns the model of a request, and the parameters that its prompt depends on. */
export function settingsIn(body: Line): Readonly<Record<string, string>> {
  return Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const value = body[name]
      if (value === undefined || value === null) return []
      return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
    }),
  )
}

const HOUR = 3_600_000

/** Returns the shortest time for which marks of a request ask the provider to keep it; undefined without any. */
export function lifetimeIn(marks: readonly unknown[]): number | undefined {
  const known = marks.filter(isObject)
  if (known.length === 0) return undefined
  return known.every(({ ttl }) => ttl === '1h') ? HOUR : HOUR / 12
}

/** Returns the marks for the cache in the body of a request. */
export function marksIn(body: Line): readonly unknown[] {
  const holders = [
    body,
    ...list(body['tools']),
    ...list(body['system']),
    ...list(body['messages']).flatMap((message) => list(memberIn(message, 'content'))),
  ]
  return holders.flatMap((one) => memberIn(one, 'cache_control') ?? [])
}

/** Returns the number of texts with which two lists begin. */
export function sharedLength(one: readonly string[], other: readonly string[]): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1
  return length
}

/** Returns the tokens that the Messages API counts; null without any. */
export function messagesUsage(usage: Line): ObservedUsage | null {
  if (typeof usage['input_tokens'] !== 'number') return null
  const cached = number(usage['cache_read_input_tokens'])
  const written = number(usage['cache_creation_input_tokens'])
  return {
    input: number(usage['input_tokens']) + cached + written,
    cached,
    written,
    output: number(usage['output_tokens']),
  }
}

/** Returns the first message of a conversation that not each one begins with, as those that Codex writes for the person. */
export function firstSaid(messages: readonly string[]): string | undefined {
  return messages.find((one) => !OPENING.test(one)) ?? messages[0]
}

const OPENING = /^user\n(?:<environment_context>|<user_instructions>|# AGENTS\.md)/
