import type { ObservedUsage } from '../observation.ts'
import { geminiUsage } from './gemini-body.ts'
import { messagesUsage } from './message-text.ts'
import { jsonIn, memberIn, number, object } from './text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** Returns what an answer, in JSON or in events, says of the tokens that it counted: the members of all events. */
export function answerUsage(answer: string): Line {
  const whole = jsonIn(answer)
  const events =
    typeof whole === 'object'
      ? [whole].flat().map(object)
      : answer
          .split('\n')
          .flatMap((line) =>
            line.startsWith('data:') ? [object(jsonIn(line.slice('data:'.length)))] : [],
          )
  // Events count the input first and the output last.
  return Object.assign(
    {},
    ...events.map((event) =>
      object(
        event['usage'] ??
          geminiUsage(event) ??
          memberIn(event['message'] ?? event['response'], 'usage'),
      ),
    ),
  ) as Line
}

/** Returns the tokens that an answer counts; null when it has none. */
export function usageIn(answer: string): ObservedUsage | null {
  const usage = answerUsage(answer)
  const isChat = 'prompt_tokens' in usage
  const details = object(usage[isChat ? 'prompt_tokens_details' : 'input_tokens_details'])
  const of = object(usage[isChat ? 'completion_tokens_details' : 'output_tokens_details'])
  if ('cache_read_input_tokens' in usage) return messagesUsage(usage)
  const input = usage[isChat ? 'prompt_tokens' : 'input_tokens']
  if (typeof input !== 'number') return null
  return {
    input: number(input),
    cached: number(details['cached_tokens']),
    output: number(usage[isChat ? 'completion_tokens' : 'output_tokens']),
    reasoning: number(of['reasoning_tokens']),
  }
}
