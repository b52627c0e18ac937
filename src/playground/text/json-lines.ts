import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { thrownMessage } from '../../workspace/commands/thrown-message.ts'

/** A value as JSON for people, line by line: hidden characters are shown. */
export function jsonLines(value: unknown): readonly string[] {
  return sanitiseText(jsonOf(value)).split('\n')
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? String(value)
  } catch (error) {
    return `This cannot be written as JSON: ${thrownMessage(error)}`
  }
}
