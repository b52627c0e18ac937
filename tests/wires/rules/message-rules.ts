import {
  ANTHROPIC_WIRES,
  isObject,
  type JsonObject,
  objectsOf,
  OPENAI_WIRES,
  textOf,
  WIRES,
} from '../wire.ts'
import { messagesOf } from './calls-of.ts'
import type { RequestRule } from './request-rule.ts'
import { itemsOf } from './tools-of.ts'

const TOOL_CHANGES = 'mid-conversation-tool-changes-2026-07-01'

const INLINE_TOOLS = 'inline-tools-2026-09-15'

/** Rules for messages, items and their marks. */
export const MESSAGE_RULES: readonly RequestRule[] = [
  {
    name: 'texts-are-well-formed',
    wires: WIRES,
    source:
      'Anthropic answers 400 "The request body is not valid JSON: no low surrogate in string" ' +
      '(anthropics/claude-code#3277); OpenAI 400 "We could not parse the JSON body of your request"',
    faults: ({ body }) => halvesIn(body, '').map((at) => `Half of a surrogate pair is at ${at}.`),
  },
  {
    name: 'tool-changes-before-an-answer',
    wires: ['anthropic-beta'],
    source:
      '@ai-sdk/anthropic 4.0.105, `toolChanges`: "must come right before an assistant message or at the end of the messages"',
    faults: (request) => {
      const messages = messagesOf(request)
      return messages.flatMap((message, index) => {
        const next = messages.slice(index + 1).find(({ role }) => role !== 'system')
        return hasToolChange(message) && next !== undefined && next.role !== 'assistant'
          ? [`Message ${index} changes tools, and the next message is not the assistant's.`]
          : []
      })
    },
  },
  {
    name: 'tool-changes-after-the-user',
    wires: ['anthropic-beta'],
    source:
      'platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages, "Limitations": a message of the ' +
      'system must follow a turn of the user; after a paused turn tool changes are not accepted',
    faults: (request) => {
      const messages = messagesOf(request)
      return messages.flatMap((message, index) => {
        const before = messages.slice(0, index).findLast(({ role }) => role !== 'system')
        return hasToolChange(message) && before?.role !== 'user'
          ? [`Message ${index} changes tools, and the message before is not the user's.`]
          : []
      })
    },
  },
  {
    name: 'tool-changes-in-system-messages',
    wires: ['anthropic-beta'],
    source: '@anthropic-ai/sdk 1.12.0, beta/messages/messages.d.ts:5311, BetaSystemMessageParam',
    faults: (request) =>
      messagesOf(request).flatMap((message, index) =>
        hasToolChange(message) && message.role !== 'system'
          ? [`Message ${index} changes tools and is a message of the ${textOf(message, 'role')}.`]
          : [],
      ),
  },
  {
    name: 'beta-is-asked-for',
    wires: ['anthropic-beta'],
    source:
      '@anthropic-ai/sdk 1.12.0, beta/messages/messages.d.ts:5040; @ai-sdk/anthropic 4.0.105, `toolChanges` and `clearAt`; ' +
      'lib/tools/BetaToolRunner.d.ts:221',
    faults: (request) => {
      const { betas, body } = request
      const blocks = messagesOf(request).flatMap(({ content }) => objectsOf(content))
      const changes = blocks.filter(isToolChange)
      const byValue = changes.some(({ tool }) => isObject(tool) && tool.type === 'tool_definition')
      const needs: readonly (readonly [boolean, readonly string[]])[] = [
        [byValue, [INLINE_TOOLS]],
        [changes.length > 0, [TOOL_CHANGES, INLINE_TOOLS]],
        [
          messagesOf(request).some(({ clear_at }) => clear_at === 'next_user_message'),
          ['mid-conversation-system-clear-at-2026-08-21'],
        ],
        [isObject(body.thread), ['message-threads-2026-08-12']],
        [
          isObject(body.context_management),
          ['context-management-2025-06-27', 'compact-2026-01-12'],
        ],
      ]
      return needs
        .filter(([isUsed, some]) => isUsed && !some.some((beta) => betas.includes(beta)))
        .map(([, some]) => `The header does not ask for ${some.join(' or ')}.`)
    },
  },
  {
    name: 'cache-breakpoints',
    wires: ANTHROPIC_WIRES,
    source:
      'platform.claude.com/docs/en/build-with-claude/prompt-caching: "You can define up to 4 cache breakpoints"; 400 "A ' +
      'maximum of 4 blocks with cache_control may be provided"',
    faults: ({ body }) => {
      const count =
        countMarks([body.tools, body.system, body.messages]) +
        (isObject(body.cache_control) ? 1 : 0)
      return count > 4 ? [`There are ${count} cache breakpoints.`] : []
    },
  },
  {
    name: 'cache-mark-place',
    wires: ANTHROPIC_WIRES,
    source:
      'platform.claude.com/docs/en/build-with-claude/prompt-caching, "What cannot be cached": thinking blocks, empty text; ' +
      'mid-conversation-system-messages: turn-scoped system messages take no `cache_control`',
    faults: (request) =>
      messagesOf(request).flatMap(({ content, clear_at }, index) =>
        objectsOf(content)
          .filter(
            ({ cache_control, type, text }) =>
              isObject(cache_control) &&
              (clear_at === 'next_user_message' ||
                type === 'thinking' ||
                (type === 'text' && text === '')),
          )
          .map((block) => `Message ${index} has a cache breakpoint on ${textOf(block, 'type')}.`),
      ),
  },
  {
    name: 'text-is-not-empty',
    wires: ANTHROPIC_WIRES,
    source:
      'Anthropic answers 400 "messages: text content blocks must be non-empty" and "all messages must have non-empty content"',
    faults: (request) => {
      const messages = messagesOf(request)
      return messages.flatMap(({ role, content, output_config }, index) => {
        const isLastAnswer = index === messages.length - 1 && role === 'assistant'
        const isEmpty = content === '' || (Array.isArray(content) && content.length === 0)
        const blocks = objectsOf(content).filter(({ type, text }) => type === 'text' && text === '')
        return blocks.length > 0 || (isEmpty && !isLastAnswer && !isObject(output_config))
          ? [`Message ${index} is empty or has an empty text.`]
          : []
      })
    },
  },
  {
    name: 'first-message',
    wires: ANTHROPIC_WIRES,
    source:
      'Anthropic answers 400 "messages: first message must use the \\"user\\" role"; a compaction block may come first',
    faults: (request) => {
      const first = messagesOf(request).find(({ role }) => role !== 'system')
      const isSummary = objectsOf(first?.content)[0]?.type === 'compaction'
      return first === undefined || first.role === 'user' || isSummary
        ? []
        : ["The first message is not the user's."]
    },
  },
  {
    name: 'thinking-budget',
    wires: ANTHROPIC_WIRES,
    source:
      '@anthropic-ai/sdk 1.12.0, messages.d.ts:4330: "Must be ≥1024 and less than `max_tokens`"',
    faults: ({ body }) => {
      const budget = isObject(body.thinking) ? body.thinking.budget_tokens : undefined
      const isFine =
        typeof budget !== 'number' || (budget >= 1024 && budget < Number(body.max_tokens))
      return isFine ? [] : [`A thinking budget of ${String(budget)} does not fit.`]
    },
  },
  {
    name: 'assistant-says-something',
    wires: ['openai-chat'],
    source:
      'openai 7.57.0, completions.d.ts:456: "Required unless `tool_calls` or `function_call` is specified"',
    faults: (request) =>
      messagesOf(request).flatMap(({ role, content, tool_calls }, index) =>
        role === 'assistant' && (content ?? '') === '' && objectsOf(tool_calls).length === 0
          ? [`Message ${index} of the assistant has neither content nor calls.`]
          : [],
      ),
  },
  {
    name: 'stream-options',
    wires: OPENAI_WIRES,
    source: 'openai 7.57.0, completions.d.ts:1976: "Only set this when you set `stream: true`"',
    faults: ({ body }) =>
      isObject(body.stream_options) && body.stream !== true
        ? ['stream_options without stream.']
        : [],
  },
  {
    name: 'one-kind-of-state',
    wires: ['openai-responses'],
    source:
      'openai 7.57.0, responses.d.ts:927: "Cannot be used in conjunction with `conversation`"',
    faults: ({ body }) =>
      (body.previous_response_id ?? null) !== null && (body.conversation ?? null) !== null
        ? ['Both previous_response_id and conversation are set.']
        : [],
  },
  {
    name: 'item-id-form',
    wires: ['openai-responses'],
    source:
      "OpenAI answers 400 \"Invalid 'input[1].id': 'call_…'. Expected an ID that begins with 'fc'\"",
    faults: (request) =>
      itemsOf(request).flatMap((item, index) => {
        const prefix = ID_PREFIXES[textOf(item, 'type')]
        const id = textOf(item, 'id')
        return prefix === undefined || id === '' || id.startsWith(prefix)
          ? []
          : [`The id ${id} of item ${index} does not begin with ${prefix}.`]
      }),
  },
  {
    name: 'reasoning-is-kept-whole',
    wires: ['openai-responses'],
    source:
      "OpenAI answers 400 \"Item 'rs_…' of type 'reasoning' was provided without its required following item\" " +
      '(openai/openai-agents-js), and with `store: false` 404 "Items are not persisted when `store` is set to false"',
    faults: (request) => {
      const items = itemsOf(request)
      return items.flatMap((item, index) => {
        if (item.type !== 'reasoning') return []
        const next = items[index + 1]
        const isFollowed =
          next !== undefined &&
          FROM_THE_MODEL.test(`${textOf(next, 'type')} ${textOf(next, 'role')}`)
        const isSealed = typeof item.encrypted_content === 'string'
        return [
          ...(isFollowed ? [] : [`The reasoning item ${index} is not followed by what it led to.`]),
          ...(request.body.store === false && !isSealed
            ? [`The reasoning item ${index} has no encrypted content, and nothing is stored.`]
            : []),
        ]
      })
    },
  },
  {
    name: 'item-reference-is-kept',
    wires: ['openai-responses'],
    source:
      'OpenAI answers 404 "Item with id \'msg_…\' not found"; with `store: false` nothing is kept',
    faults: ({ body, earlier }) =>
      objectsOf(body.input)
        .filter(
          ({ type, id }) => type === 'item_reference' && earlier.stored?.has(String(id)) === false,
        )
        .map(({ id }) => `The item ${String(id)} is not kept.`),
  },
  {
    name: 'no-base64-in-text',
    wires: WIRES,
    source: 'a model reads it as text: one picture of 5 MB is more than a million tokens',
    faults: ({ body }) =>
      textsIn(body)
        .filter(({ text }) => isBase64(text))
        .map(({ at }) => `${at} has base64 in text.`),
  },
  {
    name: 'data-is-what-its-type-says',
    wires: WIRES,
    source:
      'Anthropic answers 400 "Image does not match the provided media type image/png" (anthropics/claude-code#11975); ' +
      'OpenAI answers 400 "The image data you provided does not represent a valid image"',
    faults: ({ body }) =>
      filesIn(body)
        .filter(({ mediaType, data }) => STARTS[mediaType]?.test(headOf(data)) === false)
        .map(({ mediaType }) => `Data of the type ${mediaType} is something else.`),
  },
  {
    name: 'images-are-not-too-large',
    wires: ANTHROPIC_WIRES,
    source:
      'Anthropic answers 400 "image exceeds 10 MB maximum", counted in base64; it was 5 MB before July 2026, and is at ' +
      'Bedrock (aws/aws-sdk-js-v3#8297)',
    faults: ({ body }) =>
      filesIn(body)
        .filter(({ mediaType, data }) => mediaType.startsWith('image/') && data.length > 10_485_760)
        .map(({ data }) => `An image has ${data.length} characters of base64.`),
  },
]

/** The first bytes of data (latin1), by its media type. */
const STARTS: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG/,
  'image/jpeg': /^\xff\xd8/,
  'image/gif': /^GIF8/,
  'image/webp': /^RIFF[^]{4}WEBP/,
  'application/pdf': /%PDF-/,
}

const headOf = (data: string) => Buffer.from(data.slice(0, 1000), 'base64').toString('latin1')

/** All data of a body in base64, in whatever form of a wire. */
function filesIn(value: unknown): readonly { readonly mediaType: string; readonly data: string }[] {
  if (typeof value === 'string') {
    const [, mediaType = '', data = ''] = /^data:([^;,]+);base64,([^]*)$/.exec(value) ?? []
    return mediaType === '' ? [] : [{ mediaType, data }]
  }
  if (Array.isArray(value)) return value.flatMap(filesIn)
  if (!isObject(value)) return []
  const { type, media_type: mediaType, data } = value
  return type === 'base64' && typeof mediaType === 'string' && typeof data === 'string'
    ? [{ mediaType, data }]
    : Object.values(value).flatMap(filesIn)
}

const ID_PREFIXES: Readonly<Record<string, string>> = {
  function_call: 'fc',
  reasoning: 'rs',
  custom_tool_call: 'ctc',
}

const FROM_THE_MODEL = /^(message assistant|reasoning |item_reference |\w+_call )| assistant$/

const isToolChange = ({ type }: JsonObject) => type === 'tool_addition' || type === 'tool_removal'

function hasToolChange({ content }: JsonObject): boolean {
  return objectsOf(content).some(isToolChange)
}

function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countMarks(item), 0)
  if (!isObject(value)) return 0
  // Schemas and inputs are data of the host: a member of that name in them is no mark.
  return Object.entries(value).reduce((sum, [name, member]) => {
    if (name === 'input_schema' || name === 'input') return sum
    return sum + (name === 'cache_control' ? Number(isObject(member)) : countMarks(member))
  }, 0)
}

/** Members that hold bytes by design. */
const BYTES =
  /\/(data|image_url|url|file_data|encrypted_content|signature|result|partial_image_b64)$/

/** The texts of a body that a model reads, each with its place. */
function textsIn(
  value: unknown,
  at = '',
): readonly { readonly at: string; readonly text: string }[] {
  if (typeof value === 'string') return BYTES.test(at) ? [] : [{ at, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${at}/${index}`))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, `${at}/${name}`))
}

/** A data URL, or a run that no language has: 400 characters without a space, in capitals, small letters and digits. */
function isBase64(text: string): boolean {
  if (/data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]{40}/.test(text)) return true
  // A pattern with a count would keep a place to go back to for each of millions of characters.
  const runs = text.split(/[^A-Za-z0-9+/]/).filter((run) => run.length >= 400)
  return runs.some((run) => /[a-z]/.test(run) && /[A-Z]/.test(run) && /[0-9]/.test(run))
}

/** The places of half of a surrogate pair, also in a text that is JSON. */
function halvesIn(value: unknown, at: string): readonly string[] {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return [at]
    return /^\s*[[{"].*\\ud[89a-f]/is.test(value) ? halvesIn(parsed(value), at) : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...(key.isWellFormed() ? [] : [`a key of ${at}`]),
    ...halvesIn(one, `${at}/${key}`),
  ])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
