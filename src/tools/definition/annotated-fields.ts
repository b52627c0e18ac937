import { isObject } from '../../kernel/json-value.ts'
import type { ToolAnnotations, ToolDefinition } from './tool.ts'

/** The fields of a definition that decide about its risk. */
type RiskFields = Partial<Pick<ToolDefinition, 'category' | 'risk' | 'idempotent'>>

/** The types of annotations. Values of other types are left out. */
const KINDS: Readonly<Record<keyof ToolAnnotations, 'string' | 'boolean'>> = {
  title: 'string',
  readOnlyHint: 'boolean',
  destructiveHint: 'boolean',
  idempotentHint: 'boolean',
  openWorldHint: 'boolean',
}

/**
 * Returns the annotations of an MCP tool, and the fields that they decide. They may raise the risk that the host gave,
 * and lower the default of an action if the host trusts them.
 *
 * @param title the title outside of the annotations, which comes before theirs
 */
export function annotatedFields(
  annotations: unknown,
  { category, risk, idempotent }: RiskFields,
  trusted: boolean,
  title?: unknown,
): RiskFields & Pick<ToolDefinition, 'annotations'> {
  const given = isObject(annotations) ? annotations : {}
  const shown = [title, given['title']].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  )
  const kept = Object.entries(KINDS).flatMap(([name, kind]) => {
    const value = name === 'title' ? shown : given[name]
    return typeof value === kind ? [[name, value] as const] : []
  })
  const { readOnlyHint, destructiveHint, idempotentHint } = given
  const isReading = trusted && readOnlyHint === true
  const isSafe = (risk ?? (category === undefined ? 'moderate' : 'safe')) === 'safe'
  return {
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
    ...(isReading && category === undefined && { category: 'retrieval' }),
    ...(trusted && idempotentHint === true && idempotent === undefined && { idempotent: true }),
    ...(readOnlyHint === false && isSafe && category !== 'action' && { risk: 'moderate' }),
    ...(destructiveHint === true && !isReading && { risk: 'destructive' }),
    ...((readOnlyHint === false || idempotentHint === false) &&
      !(trusted && idempotentHint === true) && { idempotent: false }),
  }
}
