import type { ToolDefinition } from '../../registry/tool.ts'
import type { Policy } from './policy.ts'

/** Milliseconds a call of a tool should stay under: its own target, else that of the mode; null without one. */
export function latencyTarget(
  { limits }: Pick<Policy, 'limits'>,
  { latencyMs, category }: Pick<ToolDefinition, 'latencyMs' | 'category'>,
): number | null {
  return latencyMs ?? limits.latencyMs[category] ?? null
}
