import type { ToolCallRepairFunction, ToolSet } from 'ai'
import type { LiveTools } from './live-tools.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { isObject } from './is-object.ts'

/**
 * Takes the calls that the SDK would refuse by itself, and lets the pipeline refuse them: then
 * the refusal is an entry, and the answer says what to do.
 *
 * `tools` is the step's own copy, taken when its request was made; a tool added to it is called
 * and never sent. A test pins that.
 */
export function repairCall(live: LiveTools, calls: SdkCalls): ToolCallRepairFunction<ToolSet> {
  return async ({ toolCall, tools }) => {
    const { toolName, toolCallId, input } = toolCall
    if (!Object.hasOwn(tools, toolName)) {
      Object.defineProperty(tools, toolName, {
        value: live.unlisted(toolName),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    const given = parsed(input)
    if (isObject(given) && !RESERVED.test(input)) return toolCall
    calls.carry(toolCallId, given)
    return { ...toolCall, input: '{}' }
  }
}

/** Names the SDK refuses to parse in an object. */
const RESERVED = /__proto__|constructor/u

/** Text that is not JSON is judged as the text it is. */
function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
