import { isObject } from '../../kernel/json-value.ts'
import type { ToolDefinition } from './tool.ts'

/** The fields of a definition that decide about its risk. */
type RiskFields = Partial<Pick<ToolDefinition, 'category' | 'risk' | 'idempotent'>>

/**
 * Returns the fields that the annotations of an MCP tool decide. They may raise the risk that the host gave, and
 * lower the default of an action if the host trusts them.
 */
export function annotatedFields(
  annotations: unknown,
  { category, risk, idempotent }: RiskFields,
  trusted: boolean,
): RiskFields {
  if (!isObject(annotations)) return {}
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations
  const isReading = trusted && readOnlyHint === true
  const isSafe = (risk ?? (category === undefined ? 'moderate' : 'safe')) === 'safe'
  return {
    ...(isReading && category === undefined && { category: 'retrieval' }),
    ...(trusted && idempotentHint === true && idempotent === undefined && { idempotent: true }),
    ...(readOnlyHint === false && isSafe && category !== 'action' && { risk: 'moderate' }),
    ...(destructiveHint === true && !isReading && { risk: 'destructive' }),
    ...((readOnlyHint === false || idempotentHint === false) &&
      !(trusted && idempotentHint === true) && { idempotent: false }),
  }
}
