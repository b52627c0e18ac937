import type { ErrorObject } from 'ajv'
import { pointerToken } from './subschemas.ts'

/** The name an object has although its schema does not know it; undefined for other faults. */
export function unknownName({ params }: ErrorObject): string | undefined {
  const name: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  return typeof name === 'string' ? name : undefined
}

/** Where the fault is to be mended: a missing or unknown member is named by the path itself. */
export function faultPlace(fault: ErrorObject): string {
  const { instancePath, params } = fault
  const member: unknown = params['missingProperty'] ?? unknownName(fault) ?? params['propertyName']
  return typeof member === 'string' ? `${instancePath}/${pointerToken(member)}` : instancePath
}
