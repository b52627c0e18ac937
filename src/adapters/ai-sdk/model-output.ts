import type { JSONValue, ToolResultPart } from 'ai'
import { isObject } from './is-object.ts'
import { isToolResponse } from '../../tools/response/is-tool-response.ts'
import type { ResponseError } from '../../tools/response/tool-response.ts'

/** Results that name tools for the model to call. */
const NAMING: ReadonlySet<string> = new Set(['tool_search', 'loadSkill'])

/**
 * What a model reads of an envelope: the data alone, or what went wrong and what to do about it.
 * Durations, ids, entry numbers and intents are the host's and cost no tokens.
 *
 * A function of the envelope only: a history that was stored and converted again gives the bytes
 * that were sent before.
 *
 * @param refers whether the provider has a tool's definition, and waits for a reference to it
 */
export function modelOutput(
  output: unknown,
  tool = '',
  refers: (name: string) => boolean = () => false,
): ToolResultPart['output'] {
  if (!isToolResponse(output)) return read(output)
  if (output.ok) {
    const names = NAMING.has(tool) ? toolsNamed(output.data).filter(refers) : []
    return names.length === 0 ? read(output.data) : withReferences(output.data, names)
  }
  return { type: 'error-json', value: failure(output.error as ResponseError) }
}

function read(value: unknown): ToolResultPart['output'] {
  return typeof value === 'string'
    ? { type: 'text', value }
    : { type: 'json', value: (value ?? null) as JSONValue }
}

/** The hint of a refusal is part of its message; its details repeat both for programs. */
function failure({
  type,
  message,
  retryable,
  partialSideEffects,
  details,
}: ResponseError): JSONValue {
  const tells = Object.keys(details ?? {}).length > 0 && !Object.hasOwn(details, 'code')
  return {
    error: type,
    message,
    ...(retryable && { retryable }),
    ...(partialSideEffects && { partialSideEffects }),
    ...(tells && { details: details as JSONValue }),
  }
}

/** The tools of a result that can be called from the next request on. */
function toolsNamed(data: unknown): readonly string[] {
  if (!isObject(data) || !Array.isArray(data['tools'])) return []
  return data['tools'].flatMap((tool: unknown) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string') return []
    const { name, callable = 'now', status = 'available' } = tool
    return callable !== 'load-first' && status === 'available' ? name : []
  })
}

/** The form in which Anthropic's provider takes references in a result. */
function withReferences(data: unknown, names: readonly string[]): ToolResultPart['output'] {
  return {
    type: 'content',
    value: [
      { type: 'text', text: JSON.stringify(data) },
      ...names.map((toolName) => ({
        type: 'custom' as const,
        providerOptions: { anthropic: { type: 'tool-reference', toolName } },
      })),
    ],
  }
}
