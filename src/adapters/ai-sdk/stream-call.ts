import type { CallOutput, OnCallOutput } from '../../tools/definition/call-output.ts'
import {
  RESPONSE_VERSION,
  type ToolResponse,
  type ToolSuccess,
} from '../../tools/response/tool-response.ts'

interface Waiting {
  readonly output: CallOutput
  taken(): void
}

/**
 * A call as the SDK reads what streams: every output, in an envelope like that of the result with
 * `meta.preliminary`, and the envelope of the result last. An output that is not read yet holds the
 * handler up; a reader that leaves gives the call up.
 */
export async function* streamCall(
  call: (onOutput: OnCallOutput, signal: AbortSignal) => Promise<ToolResponse>,
): AsyncGenerator<ToolResponse, void> {
  const left = new AbortController()
  let next = Promise.withResolvers<Waiting>()
  const answer = call((output) => {
    const { promise, resolve: taken } = Promise.withResolvers<void>()
    next.resolve({ output, taken })
    return promise
  }, left.signal)
  const answered = answer.then(() => null)
  try {
    for (;;) {
      const waiting = await Promise.race([next.promise, answered])
      if (waiting === null) break
      next = Promise.withResolvers()
      yield preliminary(waiting.output)
      waiting.taken()
    }
    yield await answer
  } finally {
    left.abort(new Error('Nobody reads what it streams any more.'))
  }
}

function preliminary({ call, tool, output }: CallOutput): ToolSuccess {
  const meta = { version: RESPONSE_VERSION, tool, call, durationMs: 0, preliminary: true } as const
  return { ok: true, data: output, intents: [], meta }
}
