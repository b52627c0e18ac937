import { describe, expect, test } from 'vitest'
import type { ObservedSession } from '../../../../src/connections/observed/observation.ts'
import {
  list,
  memberIn,
  text,
} from '../../../../src/connections/observed/content/text-in-content.ts'
import { CLIENTS, CONVERSATIONS, only, plainCall, sampleLines } from './samples.ts'

/** A call on the wire, with the text of its result. */
interface WireCall {
  readonly call: string
  readonly tool: string
  readonly input: unknown
  readonly result: string
}

const cases = Object.keys(CLIENTS).flatMap((client) =>
  CONVERSATIONS.map((name) => ({ client, name })),
)

describe.each(cases)('the transcript of $client, $name', ({ client, name }) => {
  const wire = sampleLines(client, `${name}.wire`)
  const [session] = CLIENTS[client]?.(sampleLines(client, name)) ?? []
  const seen = session?.seen ?? []

  test('has the skills that its requests list, where it lists any', () => {
    const listed = only(seen, 'skills')
      .at(-1)
      ?.skills.map((skill) => skill.name)
    const { messages, tools } = wire.at(-1) ?? {}
    const onWire = skillsIn(textIn([messages, tools]))
    expect(onWire).toContain('stock-report')
    expect(listed).toEqual(LISTS_SKILLS.has(client) ? onWire : undefined)
  })

  test('has the skills that were loaded, with the texts that the model read', () => {
    const loaded = only(seen, 'loaded')
    expect(loaded.map(({ skill }) => skill)).toEqual(
      name === 'two-turns' ? ['tidy-notes', 'stock-report'] : ['stock-report'],
    )
    for (const { text: instructions } of loaded) {
      expect(instructions).not.toBe('')
      expect(textIn(wire)).toContain(instructions)
    }
  })

  test('has the texts that its requests begin with; those of others than Claude Code and Codex have none', () => {
    const texts = only(seen, 'texts')
      .at(-1)
      ?.texts.filter(({ id }) => client !== 'claude-code' || id.startsWith('system'))
      .map((shown) => shown.text)
    expect(texts?.length ?? 0).toBe(LISTS_SKILLS.has(client) ? (client === 'codex' ? 3 : 2) : 0)
    const [request] = wire
    const onWire = `${textIn(request?.['system'])}\n${textIn(request?.['messages'])}`
    expect(texts?.filter((one) => !onWire.includes(one)) ?? []).toEqual([])
  })

  test('has the tools of its requests, or those that were called', () => {
    const onWire = list(wire.at(-1)?.['tools']).flatMap((tool) => {
      const inner = memberIn(tool, 'tools')
      const named = text(memberIn(tool, 'name'))
      return inner === undefined ? [named] : list(inner).map((one) => `${named}__${text(one)}`)
    })
    const tools = only(seen, 'tools').at(-1)?.tools
    if (tools === undefined) {
      const called = only(seen, 'call').map(({ tool }) => tool)
      // Qwen Code keeps tools of servers out of its requests until the model searches for them.
      const kept = client === 'qwen-code' ? ['mcp__stock__count_items'] : []
      expect(called.filter((tool) => ![...onWire, ...kept].includes(tool))).toEqual([])
      return
    }
    const sent = tools.filter((tool) => tool.deferred !== true || tool.inputSchema !== undefined)
    expect(sent.map((tool) => tool.name).toSorted()).toEqual(
      onWire.filter((tool) => tool !== 'DeferredToolPlaceholder').toSorted(),
    )
  })

  test('has the calls and results of its requests, in their order', () => {
    const onWire = list(wire.at(-1)?.['messages']).flatMap(callsIn)
    const results = list(wire.at(-1)?.['messages']).flatMap(resultsIn)
    const expected = onWire.map((call, index) => ({
      ...call,
      call: plainCall(call.call),
      result: results[index],
    }))
    const found = callsOf(session)
    const isSkipped = client === 'claude-code' && name === 'two-turns'
    // Ids that the script used twice.
    expect(found.filter((_, index) => !isSkipped || ![2, 3].includes(index))).toEqual(expected)
    expect(expected.length).toBeGreaterThan(2)
  })

  test('has a request and the counted tokens of each answer', () => {
    const answers = name === 'two-turns' ? REQUESTS_OF_TURNS : REQUESTS
    expect(only(seen, 'request')).toHaveLength(answers[client] ?? 0)
    expect(only(seen, 'answer')).toHaveLength(answers[client] ?? 0)
    for (const { usage } of only(seen, 'answer')) expect(usage.input).toBeGreaterThan(1000)
    expect(only(seen, 'turn')).toHaveLength(name === 'two-turns' ? 2 : 1)
  })
})

const LISTS_SKILLS: ReadonlySet<string> = new Set(['claude-code', 'codex'])

const REQUESTS: Readonly<Record<string, number>> = {
  'claude-code': 5,
  codex: 4,
  opencode: 4,
  pi: 4,
  'gemini-cli': 4,
  'qwen-code': 4,
}

const REQUESTS_OF_TURNS: Readonly<Record<string, number>> = {
  'claude-code': 7,
  codex: 6,
  opencode: 6,
  pi: 6,
  'gemini-cli': 6,
  'qwen-code': 6,
}

/** Every text of a value, one after the other. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null
    ? Object.values(value).map(textIn).join('\n')
    : ''
}

/** The names of skills in the lists of the clients. */
function skillsIn(said: string): readonly string[] {
  const [, listed = ''] =
    /(?:skills are available for use with the Skill tool:|### Available skills)\n([^]*?)(?:\n<|\n⟦28 |$)/.exec(
      said,
    ) ?? []
  const inXml = [...said.matchAll(/<name>\s*(.*?)\s*<\/name>/g)].map(([, name = '']) => name)
  const inLines = [...listed.matchAll(/^- ([\w-]+):/gm)].map(([, name = '']) => name)
  return [...inXml, ...inLines]
}

/** The calls in a message of Messages or Chat Completions, or an item of Responses. */
function callsIn(message: unknown): readonly Omit<WireCall, 'result'>[] {
  if (memberIn(message, 'type') === 'function_call') {
    const space = text(memberIn(message, 'namespace'))
    const tool = `${space && `${space}__`}${text(memberIn(message, 'name'))}`
    const input: unknown = JSON.parse(text(memberIn(message, 'arguments')))
    return [{ call: text(memberIn(message, 'call_id')), tool, input }]
  }
  const parts = list(memberIn(message, 'content')).filter(
    (part) => memberIn(part, 'type') === 'tool_use',
  )
  const anthropic = parts.map((part) => ({
    call: text(memberIn(part, 'id')),
    tool: text(memberIn(part, 'name')),
    input: memberIn(part, 'input'),
  }))
  const openai = list(memberIn(message, 'tool_calls')).map((call) => ({
    call: text(memberIn(call, 'id')),
    tool: text(memberIn(memberIn(call, 'function'), 'name')),
    input: JSON.parse(text(memberIn(memberIn(call, 'function'), 'arguments'))) as unknown,
  }))
  return [...anthropic, ...openai]
}

function resultsIn(message: unknown): readonly string[] {
  if (memberIn(message, 'type') === 'function_call_output')
    return [joined(memberIn(message, 'output'))]
  if (memberIn(message, 'role') === 'tool') return [joined(memberIn(message, 'content'))]
  return (
    list(memberIn(message, 'content'))
      .filter((part) => memberIn(part, 'type') === 'tool_result')
      // Gemini CLI sends a result twice in a session that goes on.
      .filter((part, at, all) => at === all.findIndex((one) => callOf(one) === callOf(part)))
      .map((part) => joined(memberIn(part, 'content')))
  )
}

function callOf(part: unknown): unknown {
  return memberIn(part, 'tool_use_id')
}

function joined(content: unknown): string {
  const parts = list(content).map((part) => text(memberIn(part, 'text')))
  return typeof content === 'string' ? content : parts.filter((one) => one !== '').join('\n\n')
}

/** The calls of a transcript with the results that follow them. */
function callsOf(session: ObservedSession | undefined): readonly WireCall[] {
  const seen = session?.seen ?? []
  return seen.flatMap((one, index) => {
    if (one.type !== 'call') return []
    const { call, tool, input } = one
    const result = only(seen.slice(index), 'result').find((other) => other.call === call)
    return [{ call: plainCall(call), tool, input, result: result?.text ?? '' }]
  })
}
