import { sanitiseText, thrownMessage } from '../../../entries/kit.ts'

/** Splits untrusted text into lines that are safe to draw. */
export function textLines(text: string): string[] {
  return sanitiseText(text).replaceAll('\t', '  ').split('\n')
}

/** Writes a value as indented JSON, line by line, with hidden characters made visible. */
export function jsonLines(value: unknown): readonly string[] {
  return sanitiseText(prettyJson(value)).split('\n')
}

function prettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? String(value)
  } catch (error) {
    return `Cannot be written as JSON: ${thrownMessage(error)}`
  }
}
