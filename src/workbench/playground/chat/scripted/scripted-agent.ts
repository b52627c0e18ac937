import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import type { VirtualWorkspace } from '../../../../entries/index.ts'
import { type MadeCall, type AgentMove, nextMove, type ScriptedTurn } from './next-move.ts'

/** Tokens are counted by the workspace. */
const USAGE = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * A language model without a model: finds a tool with the search of the workspace, fills its arguments by rules, and
 * answers with its result. The same conversation has the same answers.
 */
export function scriptedAgent({
  workspace,
  said,
}: {
  readonly workspace: VirtualWorkspace
  /** The messages of the person, in order. The prompt also has messages of the workspace under the same role. */
  said(): readonly string[]
}): LanguageModelV4 {
  const answer = ({ prompt }: LanguageModelV4CallOptions) => {
    const turn = readTurn(prompt, said())
    const content = contentOf(nextMove(turn, workspace), prompt.length)
    const unified = content[0]?.type === 'tool-call' ? ('tool-calls' as const) : ('stop' as const)
    return { content, finishReason: { unified, raw: undefined } }
  }
  return {
    specificationVersion: 'v4',
    provider: 'loadout.scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async (options) => ({ ...answer(options), usage: USAGE, warnings: [] }),
    doStream: async (options) => {
      const { content, finishReason } = answer(options)
      const parts: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...content.flatMap(streamed),
        { type: 'finish', finishReason, usage: USAGE },
      ]
      return { stream: ReadableStream.from(parts) }
    },
  }
}

/** @param position the length of the prompt, which makes ids that are the same when a step is made again */
function contentOf(move: AgentMove, position: number): LanguageModelV4Content[] {
  if (move.kind === 'say') return [{ type: 'text', text: move.text }]
  const { tool: toolName, input } = move
  const toolCallId = `scripted_${position}`
  return [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }]
}

/** A text streams in lines. */
function streamed(part: LanguageModelV4Content): LanguageModelV4StreamPart[] {
  if (part.type === 'tool-call') return [part]
  if (part.type !== 'text') return []
  const lines = part.text.split('\n').map((line, index) => (index === 0 ? line : `\n${line}`))
  return [
    { type: 'text-start', id: '0' },
    ...lines.map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
    { type: 'text-end', id: '0' },
  ]
}

/** Reads the last message of the person, and the calls since. */
function readTurn(prompt: LanguageModelV4Prompt, said: readonly string[]): ScriptedTurn {
  const text = said.at(-1) ?? ''
  const at = prompt.findLastIndex((message) => message.role === 'user' && textOf(message) === text)
  const previous = said.at(-2)
  const answer = prompt.slice(0, Math.max(at, 0)).findLast(({ role }) => role === 'assistant')
  const before =
    previous === undefined || answer === undefined
      ? null
      : { text: previous, answer: textOf(answer) }
  return { text, before, calls: callsIn(prompt.slice(at + 1)) }
}

function textOf({ content }: LanguageModelV4Prompt[number]): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function callsIn(prompt: LanguageModelV4Prompt): readonly MadeCall[] {
  const inputs = new Map(
    prompt.flatMap((message) =>
      message.role === 'assistant'
        ? message.content.flatMap((part) =>
            part.type === 'tool-call' ? [[part.toolCallId, part.input] as const] : [],
          )
        : [],
    ),
  )
  return prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => {
          if (part.type !== 'tool-result') return []
          const { toolName: tool, toolCallId, output } = part
          return [{ tool, input: inputs.get(toolCallId), ...readOutput(output) }]
        })
      : [],
  )
}

function readOutput(output: LanguageModelV4ToolResultOutput): Pick<MadeCall, 'ok' | 'data'> {
  switch (output.type) {
    case 'text':
    case 'json':
    case 'content':
      return { ok: true, data: output.value }
    case 'error-text':
    case 'error-json':
      return { ok: false, data: output.value }
    case 'execution-denied':
      return { ok: false, data: output.reason ?? 'A person denied the call.' }
  }
}
