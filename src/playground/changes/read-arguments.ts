import { sanitiseLine } from '../../kernel/sanitise-line.ts'

/** Typed arguments as a value, or why they are none. */
export type ReadArguments =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

/** Read JSON as it was typed; nothing at all is no arguments. */
export function readArguments(text: string): ReadArguments {
  try {
    return { ok: true, value: JSON.parse(text.trim() === '' ? '{}' : text) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, problem: `This is not JSON: ${sanitiseLine(why)}.` }
  }
}
