import { isObject, type JsonObject, objectsOf, textOf, type Wire } from '../wire.ts'

export type Segment = 'tools' | 'instructions' | 'conversation'

/** A part of a request as the model reads it: a tool, a text of instructions, a message, an item or a block. */
export interface PromptPart {
  readonly segment: Segment
  /** The name of a tool; otherwise the place in the body, such as `messages/3/content/0` or `input/7`. */
  readonly part: string
  /** The JSON text of it, as it was sent, without cache breakpoints. */
  readonly text: string
}

/** The order in which providers read. Chat templates write the system text, then the tools. */
const ORDER: Readonly<Record<Wire, readonly Segment[]>> = {
  'openai-responses': ['tools', 'instructions', 'conversation'],
  'openai-chat': ['instructions', 'tools', 'conversation'],
  anthropic: ['tools', 'instructions', 'conversation'],
  'anthropic-beta': ['tools', 'instructions', 'conversation'],
  // Not documented: as the facts of the provider assume.
  gemini: ['tools', 'instructions', 'conversation'],
}

/**
 * Returns the parts of a body in the order in which its provider reads them.
 *
 * Definitions of deferred tools are not in the prompt before something refers to them: they are read where it does.
 * Cache breakpoints are not content. Anthropic reads a text and a list of one text block alike, and messages of one
 * role that follow each other as one, so its messages are taken as blocks.
 */
export function promptParts(
  wire: Wire,
  body: JsonObject,
  order = ORDER[wire],
): readonly PromptPart[] {
  const all = [...toolParts(wire, body), ...PARTS[wire](body)]
  return order.flatMap((segment) => all.filter((part) => part.segment === segment))
}

const PARTS: Readonly<Record<Wire, (body: JsonObject) => readonly PromptPart[]>> = {
  'openai-responses': responsesParts,
  'openai-chat': (body) => messageParts('messages', objectsOf(body.messages)),
  anthropic: anthropicParts,
  'anthropic-beta': anthropicParts,
  gemini: geminiParts,
}

function toolParts(wire: Wire, body: JsonObject): readonly PromptPart[] {
  const tools = objectsOf(body.tools)
  const all = tools.flatMap(({ functionDeclarations: own, ...tool }) => {
    return own === undefined ? tool : objectsOf(own)
  })
  return all.flatMap((tool): readonly PromptPart[] => {
    const shown = wire === 'openai-responses' ? openAiTool(tool) : tool
    if (shown.defer_loading === true) return []
    const inner = [tool.function, tool.custom, tool].find(isObject)
    const name = textOf(inner, 'name')
    const part = name === '' ? textOf(tool, 'type') : name
    return [{ segment: 'tools', part, text: write(shown) }]
  })
}

/**
 * A tool of OpenAI as far as it is in the prompt at the start. Of a deferred function the model sees the name and the
 * description (developers.openai.com/api/docs/guides/tools-tool-search), but not of one in a namespace.
 */
function openAiTool(tool: JsonObject): JsonObject {
  if (tool.type === 'namespace') {
    const tools = objectsOf(tool.tools).filter(({ defer_loading: isOut }) => isOut !== true)
    return { ...tool, tools }
  }
  const { type, name, description, defer_loading: isDeferred } = tool
  return isDeferred === true ? { type, name, description } : tool
}

function responsesParts({ instructions, input }: JsonObject): readonly PromptPart[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input)
  const own: readonly PromptPart[] =
    (instructions ?? null) === null
      ? []
      : [{ segment: 'instructions', part: 'instructions', text: write(instructions) }]
  return [...own, ...messageParts('input', items)]
}

/** Messages and items; those of the system or the developer at the front are instructions. */
function messageParts(list: string, items: readonly JsonObject[]): readonly PromptPart[] {
  const first = items.findIndex(
    ({ role, type }) => !/^(system|developer)$/.test(String(role)) || type === 'additional_tools',
  )
  return items.map((item, index) => ({
    segment: first < 0 || index < first ? 'instructions' : 'conversation',
    part: `${list}/${index}`,
    text: write(item),
  }))
}

function geminiParts({ systemInstruction, contents }: JsonObject): readonly PromptPart[] {
  const own: readonly PromptPart[] =
    systemInstruction === undefined
      ? []
      : [{ segment: 'instructions', part: 'systemInstruction', text: write(systemInstruction) }]
  return [...own, ...messageParts('contents', objectsOf(contents))]
}

function anthropicParts(body: JsonObject): readonly PromptPart[] {
  const tools = objectsOf(body.tools)
  const definitions = new Map(tools.map((tool) => [textOf(tool, 'name'), tool]))
  const system = blocksOf(body.system).map((block, index): PromptPart => ({
    segment: 'instructions',
    part: `system/${index}`,
    text: write(block),
  }))
  const messages = objectsOf(body.messages).flatMap(({ content, ...message }, index) =>
    blocksOf(content).map((block, place): PromptPart => ({
      segment: 'conversation',
      part: `messages/${index}/content/${place}`,
      text: write({ ...message, block, refersTo: referredTools(block, definitions) }),
    })),
  )
  return [...system, ...messages]
}

function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

/** The deferred definitions that a block brings into the prompt. */
function referredTools(
  block: unknown,
  definitions: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  if (!isObject(block)) return []
  const references = [block.tool, ...objectsOf(block.content)].filter(isObject)
  return references
    .filter(({ type }) => type === 'tool_reference' && block.type !== 'tool_removal')
    .map((reference) => textOf(reference, 'name') || textOf(reference, 'tool_name'))
    .map((name) => definitions.get(name))
    .filter((tool) => tool !== undefined)
    .filter(({ defer_loading: isDeferred }) => isDeferred === true)
}

/** The JSON of a value without cache breakpoints; schemas and inputs are data and kept as they are. */
function write(value: unknown): string {
  const seen = (member: unknown): unknown => {
    if (Array.isArray(member)) return member.map(seen)
    if (!isObject(member)) return member
    return Object.fromEntries(
      Object.entries(member).flatMap(([name, inner]) => {
        if (name === 'cache_control') return []
        return [
          [
            name,
            /^(input|input_schema|parameters|parametersJsonSchema)$/.test(name)
              ? inner
              : seen(inner),
          ],
        ]
      }),
    )
  }
  return JSON.stringify(seen(value))
}
