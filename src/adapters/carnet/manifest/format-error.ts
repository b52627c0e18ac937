import { isBuildError } from './build-error.ts'
import { isCarnetError, type CarnetError } from './carnet-error.ts'
import { isParseError } from './parse-error.ts'
import { isValidationError } from './validation-error.ts'

/** An error for people, with what it is about on lines of their own, as Carnet prints it. */
export function formatError(error: unknown): string {
  if (!isCarnetError(error)) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  const context = Object.entries(error.context ?? {})
  const lines = [
    `${error.name}: ${error.message}`,
    ...factsOf(error)
      .filter(([, fact]) => fact !== undefined && fact !== '' && fact !== 0)
      .map(([label, fact]) => `  ${label}: ${fact}`),
    ...(context.length === 0 ? [] : ['  Context:']),
    ...context.map(([key, value]) => `    ${key}: ${textOf(value)}`),
  ]
  return lines.join('\n')
}

function factsOf(error: CarnetError): readonly (readonly [string, string | number | undefined])[] {
  if (isParseError(error)) {
    return [
      ['File', error.filePath],
      ['Line', error.lineNumber],
    ]
  }
  if (isValidationError(error)) {
    return [
      ['Type', error.entityType],
      ['Name', error.entityName],
    ]
  }
  return isBuildError(error) ? [['Phase', error.phase]] : []
}

/** An error must never fail to be told: what has no JSON is told in another way. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
