import type { RunningCall } from '../../tools/definition/running-call.ts'
import { RESPONSE_VERSION, type ToolSuccess } from '../../tools/response/tool-response.ts'

/** What a call answers with that goes on in the background. */
export function callDetached(tool: string, call: string, seq: number): ToolSuccess<RunningCall> {
  const meta = { version: RESPONSE_VERSION, tool, call, durationMs: 0, seq } as const
  return { ok: true, data: { status: 'running', call }, intents: [], meta }
}
