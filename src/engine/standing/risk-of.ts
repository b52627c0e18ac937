import type { RiskLevel, Tool } from '../../tools/definition/tool.ts'
import type { Claim } from '../model/source-event.ts'

/**
 * The risk that rules go by. What a source that the host does not trust says of its own tools is not
 * believed where it would lower the risk, so such a tool counts as `moderate` at least; and so does
 * one whose definition nobody has.
 */
export function riskOf(
  { trusted }: Pick<Claim, 'trusted'>,
  tool: Pick<Tool, 'risk'> | undefined,
): RiskLevel {
  const told = tool?.risk ?? 'moderate'
  return trusted === false && told === 'safe' ? 'moderate' : told
}
