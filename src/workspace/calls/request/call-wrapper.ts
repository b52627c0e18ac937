import type { ToolResponse } from '../../../tools/response/tool-response.ts'
import { notifyListener } from '../../commands/outcome.ts'
import type { CallRequest } from './call-request.ts'

/** A call, for code that runs around it. */
export interface WrappedCall {
  /** Its id in the session. A new one when the request has none, or when that id is taken. */
  readonly call: string
  /** The request; of a call through `call_tool`, that of the tool it names. */
  readonly request: CallRequest
  /** Hides secrets in plain data, by the rules of the session or else the default ones. */
  redact<T>(value: T): T
}

/**
 * Runs around a call: it may do something before and after `run`, and give it an async context, but changes
 * nothing about the call. `run` makes the call, once, and resolves with its answer when the call has ended, also
 * for a call in the background.
 */
export type CallWrapper = (call: WrappedCall, run: () => Promise<ToolResponse>) => unknown

/** Runs a call inside a wrapper. A wrapper that fails leads to a warning of the process, and the call is made. */
export async function runInside(
  wrapper: CallWrapper,
  call: WrappedCall,
  run: () => Promise<ToolResponse>,
): Promise<ToolResponse> {
  let answer: Promise<ToolResponse> | undefined
  const once = () => (answer ??= run())
  await notifyListener(() => wrapper(call, once))
  return once()
}
