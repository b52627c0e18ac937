import { forAnthropic } from 'loadout/anthropic'
import { forGemini } from 'loadout/gemini'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { adapterContract } from 'loadout/testing'
import { describe, expect, test } from 'vitest'
import { type Message, ownAdapter, type OwnWire } from '../../examples/adapter/own-adapter.ts'

const runner = { describe, expect, test }

adapterContract<Message, OwnWire['request'], OwnWire['answer']>(runner, 'The adapter of the page', {
  connect: ownAdapter,
  user: (text) => ({ role: 'user', text }),
  answer: (calls) => ({
    text: calls.length === 0 ? 'Done.' : '',
    calls: calls.map(({ id, name, input }) => ({ id, tool: name, input })),
  }),
  cut: ({ id, name, input }) => ({ text: '', calls: [{ id, tool: name, input }], isCut: true }),
  tools: ({ tools }) => tools.map((tool) => (tool as { name: string }).name),
  messages: ({ messages }) => messages,
})

const completion = (finish_reason: string, calls: readonly object[]) => ({
  choices: [{ message: { role: 'assistant', content: 'Well.', tool_calls: calls }, finish_reason }],
})
const functions = (calls: readonly { id: string; name: string; input: object }[]) =>
  calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))

adapterContract<never, never, never>(runner, 'Chat Completions', {
  connect: (workspace) => forChatCompletions(workspace) as never,
  user: (content) => ({ role: 'user', content }) as never,
  answer: (calls) =>
    completion(calls.length === 0 ? 'stop' : 'tool_calls', functions(calls)) as never,
  cut: ({ id, name }) =>
    completion('length', [
      { id, type: 'function', function: { name, arguments: '{"ord' } },
    ]) as never,
  tools: ({ tools }: { tools: { function: { name: string } }[] }) =>
    tools.map((tool) => tool.function.name),
  messages: ({ messages }: { messages: object[] }) => messages,
})

adapterContract<never, never, never>(runner, 'Responses', {
  connect: (workspace) => forOpenAI(workspace, { model: 'gpt-5.4' }) as never,
  user: (content) => ({ role: 'user', content }) as never,
  answer: (calls) => ({ id: 'r', status: 'completed', output: outputs(calls) }) as never,
  cut: (call) =>
    ({
      id: 'r',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: outputs([call]),
    }) as never,
  tools: ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name),
  messages: ({ input }: { input: object[] }) => input,
})

function outputs(calls: readonly { id: string; name: string; input: object }[]): object[] {
  return calls.length === 0
    ? [{ type: 'message', id: 'm', role: 'assistant', content: [] }]
    : calls.map(({ id, name, input }) => ({
        type: 'function_call',
        id: `f${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(input),
      }))
}

adapterContract<never, never, never>(runner, 'Messages', {
  connect: (workspace) => forAnthropic(workspace, { model: 'claude-opus-4-8' }) as never,
  user: (content) => ({ role: 'user', content }) as never,
  answer: (calls) => blocks(calls.length === 0 ? 'end_turn' : 'tool_use', calls) as never,
  cut: (call) => blocks('max_tokens', [call]) as never,
  tools: ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name),
  messages: ({ messages }: { messages: object[] }) => messages,
})

function blocks(
  stop_reason: string,
  calls: readonly { id: string; name: string; input: object }[],
) {
  const uses = calls.map((call) => ({ type: 'tool_use', ...call }))
  const content = [{ type: 'text', text: 'Well.' }, ...uses]
  return { role: 'assistant', stop_reason, content, usage: { input_tokens: 1, output_tokens: 1 } }
}

adapterContract<never, never, never>(runner, 'Gemini', {
  connect: (workspace) => forGemini(workspace) as never,
  user: (text) => ({ role: 'user', parts: [{ text }] }) as never,
  answer: (calls) => candidate('STOP', calls) as never,
  cut: (call) => candidate('MAX_TOKENS', [call]) as never,
  tools: ({ config }: { config: { tools: { functionDeclarations: { name: string }[] }[] } }) =>
    config.tools.flatMap(({ functionDeclarations }) =>
      functionDeclarations.map(({ name }) => name),
    ),
  messages: ({ contents }: { contents: object[] }) => contents,
})

function candidate(
  finishReason: string,
  calls: readonly { id: string; name: string; input: object }[],
) {
  const parts = calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))
  const content = { role: 'model', parts: parts.length === 0 ? [{ text: 'Done.' }] : parts }
  return { candidates: [{ finishReason, content }] }
}
