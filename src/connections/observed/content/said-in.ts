import {
  jsonIn,
  list,
  memberIn,
  object,
  text,
  textInContent,
  toolNameIn,
} from './text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** A part of a request that an earlier one may have had. */
type Said =
  | { readonly type: 'turn'; readonly text: string }
  | { readonly type: 'call'; readonly call: string; readonly tool: string; readonly input: unknown }
  | {
      readonly type: 'result'
      readonly call: string
      readonly isError: boolean
      readonly text: string
    }

/** The beginning of a text that a client wrote in the name of the person. */
export const OF_CLIENT =
  /^(?:<(?:environment_context|user_instructions|system-reminder)>|# AGENTS\.md)/

/** A remark of Claude Code behind a result of a tool. */
const REMARK =
  /\n\n<system-reminder>\n<total_tokens>[^<]{0,100}<\/total_tokens>\n<\/system-reminder>$/

/** Returns the turns, calls and results in a message of a request. */
export function saidIn(message: Line): readonly Said[] {
  const { role, content } = message
  if (text(message['type']) !== '' && message['type'] !== 'message') return itemIn(message)
  if (role === 'tool') {
    return [aResult(message['tool_call_id'], content, message['is_error'] === true)]
  }
  const parts = list(content).map(object)
  const results = parts
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id: id, content: said, is_error: isError }) =>
      aResult(id, textInContent(said).replace(REMARK, ''), isError === true),
    )
  if (role === 'assistant') {
    const uses = parts.filter(({ type }) => type === 'tool_use')
    const calls = list(message['tool_calls']).map(object)
    return [
      ...uses.flatMap(({ id, name, input }) => aCall(id, text(name), input)),
      ...calls.flatMap(({ id, function: called }) =>
        aCall(id, text(memberIn(called, 'name')), argumentsIn(memberIn(called, 'arguments'))),
      ),
    ]
  }
  const given = typeof content === 'string' ? [{ text: content }] : list(content)
  const said = textInContent(given.filter((part) => !OF_CLIENT.test(text(memberIn(part, 'text')))))
  const isTurn = role === 'user' && results.length === 0 && said !== ''
  return isTurn ? [{ type: 'turn', text: said } as const] : results
}

/** Reads an item of the Responses API that is no message. */
function itemIn(item: Line): readonly Said[] {
  switch (item['type']) {
    case 'function_call':
    case 'custom_tool_call': {
      const space = text(item['namespace'])
      const name = `${space && `${space}__`}${text(item['name'])}`
      return aCall(item['call_id'], name, argumentsIn(item['arguments'] ?? item['input']))
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [aResult(item['call_id'], item['output'], false)]
    default:
      return []
  }
}

function aCall(id: unknown, name: string, input: unknown): readonly Said[] {
  const tool = toolNameIn(name)
  return tool === '' ? [] : [{ type: 'call', call: text(id), tool, input }]
}

function aResult(id: unknown, content: unknown, isError: boolean): Said {
  return { type: 'result', call: text(id), isError, text: textInContent(content) }
}

function argumentsIn(given: unknown): unknown {
  return jsonIn(text(given)) ?? given
}
