/** The tool a call of `call_tool` is about, and what it is called with. */
export interface BridgedTarget {
  readonly tool: string
  readonly input: object
}

/**
 * Read the arguments of `call_tool`; null for those that are not shaped as its schema says. Arguments
 * given as JSON text are read, and null is none, since models do that.
 */
export function bridgedTarget(input: unknown): BridgedTarget | null {
  if (typeof input !== 'object' || input === null) return null
  const { name, arguments: given, ...others } = input as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || name === '' || Object.keys(others).length > 0) return null
  const parsed = typeof given === 'string' ? parsedObject(given) : (given ?? {})
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
  return { tool: name, input: parsed }
}

function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
