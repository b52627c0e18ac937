import { readMcpResult } from '../../../tools/response/mcp-result.ts'
import type { HandlerOutcome } from '../../../tools/response/tool-response.ts'
import { fail, succeed } from '../../../tools/response/tool-response.ts'

/**
 * Reads the result of a call. A result with `isError` is a failure; the text of a server is not read for its meaning.
 * Of any other, the parts are those of the result, and the data is its structured content, or else its text.
 */
export function readResult(result: Readonly<Record<string, unknown>>): HandlerOutcome {
  const given = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : []
  const content = given.flatMap((part) => readMcpResult({ content: [part] })?.content ?? [])
  const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
  if (result['isError'] === true) {
    // The tool ran, and what it did before it failed is not known.
    return fail('PERMANENT', text === '' ? 'The tool reports an error.' : text, {
      partialSideEffects: true,
    })
  }
  const { structuredContent: data = text } = result
  return succeed(data, content.length === 0 ? {} : { content })
}
