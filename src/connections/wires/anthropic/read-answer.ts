import type {
  BetaContentBlock,
  BetaContentBlockParam,
  BetaMessage,
  BetaMessageParam,
  BetaToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'
import { type AnsweredCall, type ContentPart, partText } from '../../../entries/adapter.ts'
import { isObject } from '../../../entries/kit.ts'
import { programOf } from './anthropic-form.ts'
import { callName } from '../../../schema/provider-forms/provider-name.ts'
import { isBinaryPart } from '../../../tools/response/content-part.ts'
import { modelText } from '../../../tools/response/model-text.ts'
import { sentMediaType } from '../../../tools/response/sent-media-type.ts'
import {
  type AnsweredCall,
  CUT_CALL,
  stoppedAnswer,
} from '../../../workspace/calls/call-answers.ts'
import type { NamedCall } from '../../../workspace/conversation/model-conversation.ts'
import type { ReadAnswer } from '../../../workspace/conversation/run-conversation.ts'

/**
 * Reads an answer.
 *
 * It is sent back unchanged, thinking included, except for what the provider refuses: empty texts, members that
 * the SDK adds, names that no tool can have, and, of an answer that was cut, thinking and calls of the provider's own
 * tools that led to nothing. Of an answer that the provider refused to finish, or that did not end, nothing is sent back
 * and no call runs.
 */
export function readAnswer({
  content,
  stop_reason: reason,
}: BetaMessage): ReadAnswer<BetaMessageParam> {
  if (!reason) return { status: 'failed', items: [], calls: [] }
  const isRefused = reason === 'refusal'
  const isCut = isRefused || reason === 'max_tokens' || reason === 'model_context_window_exceeded'
  const end = isCut ? content.findLastIndex(({ type }) => !LEADS_ON.has(type)) + 1 : content.length
  const blocks = content.slice(0, end).filter((block) => block.type !== 'text' || block.text !== '')
  const calls = blocks.flatMap((block, index): readonly NamedCall[] => {
    if (block.type !== 'tool_use') return []
    const { id, name, input } = block
    const isLast = index === blocks.length - 1
    const stopped = isRefused ? stoppedAnswer(reason) : isCut && isLast ? CUT_CALL : undefined
    return [{ id, name, input, ...(stopped && { stopped }), ...programOf(block) }]
  })
  const isPaused = reason === 'pause_turn' || reason === 'compaction'
  return {
    status: isCut ? 'cut' : isPaused || calls.length > 0 ? 'continue' : 'done',
    items:
      blocks.length === 0 || isRefused
        ? []
        : [{ role: 'assistant', content: blocks.map(sentBlock) }],
    calls,
  }
}

/** Blocks that an answer does not end with. */
const LEADS_ON: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
])

function sentBlock(block: BetaContentBlock): BetaContentBlockParam {
  if (block.type === 'tool_use') {
    const { name, input } = block
    return { ...block, name: callName(name, 'anthropic'), input: isObject(input) ? input : {} }
  }
  if (!('parsed_output' in block)) return block as BetaContentBlockParam
  const { parsed_output: _, ...sent } = block
  return sent as BetaContentBlockParam
}

type ResultPart = Exclude<BetaToolResultBlockParam['content'], string | undefined>[number]

/**
 * Returns the block with the result of a call.
 *
 * @param references the names of deferred tools that the model gets by it
 */
export function toolResult(
  { call, response }: AnsweredCall,
  references: readonly string[],
): BetaToolResultBlockParam {
  const parts = response.ok ? response.content : undefined
  const text = modelText(response)
  const blocks: ResultPart[] = [
    ...(parts?.map(partBlock) ?? [{ type: 'text' as const, text }]),
    ...references.map((name) => ({ type: 'tool_reference' as const, tool_name: name })),
  ].filter((block) => block.type !== 'text' || block.text !== '')
  const isText = parts === undefined && references.length === 0
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: isText ? text : blocks,
    ...(!response.ok && { is_error: true }),
  }
}

/** Converts a part of a result. What has no form here becomes a sentence. */
function partBlock(part: ContentPart): ResultPart {
  const media_type = isBinaryPart(part) ? sentMediaType(part, 'anthropic') : undefined
  if (!isBinaryPart(part) || media_type === undefined) return { type: 'text', text: partText(part) }
  const { data, name } = part
  switch (media_type) {
    case 'audio/mpeg':
    case 'audio/wav':
      return { type: 'text', text: partText(part) }
    case 'application/pdf': {
      const source = { type: 'base64' as const, media_type, data }
      return { type: 'document', source, ...(name !== undefined && { title: name }) }
    }
    case 'image/png':
    case 'image/jpeg':
    case 'image/gif':
    case 'image/webp':
      return { type: 'image', source: { type: 'base64', media_type, data } }
  }
}
