/** The name of a session from its JSON text; null for a text that is none. */
export function nameOfKey(key: unknown): string | null {
  try {
    const name: unknown = JSON.parse(String(key))
    return typeof name === 'string' ? name : null
  } catch {
    return null
  }
}
