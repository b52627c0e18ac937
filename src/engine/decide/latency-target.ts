import type { ToolDefinition } from '../../tools/definition/tool.ts'
import type { Policy } from '../model/policy.ts'

/** Milliseconds a call of a tool should stay under: its own target, else that of the mode; null without one. */
export function latencyTarget(
  { limits }: Pick<Policy, 'limits'>,
  { latencyMs, category }: Pick<ToolDefinition, 'latencyMs' | 'category'>,
): number | null {
  return latencyMs ?? limits.latencyMs[category] ?? null
}
