import type { WorkspaceStep } from 'loadout'
import { providerName } from 'loadout/adapter'
import { compareBodies } from '../../../wires/compare/compare-bodies.ts'
import { promptParts } from '../../../wires/compare/prompt-parts.ts'
import type { WireRequest } from '../../../wires/server/open-wire-server.ts'

/** One request with what the ledger says of it. */
export interface WireStep {
  readonly strategy: string
  readonly cost: WorkspaceStep['cost']
  readonly request: WireRequest
  /** The parts of the body of each message of the conversation. */
  readonly sizes: readonly number[]
}

/** Returns the first thing about a request on which the ledger and the socket do not agree, or null. */
export function disagreement(before: WireStep, now: WireStep): string | null {
  const { cost } = now
  // Another model has a cache of its own, and the SDK writes system texts in another role for it.
  if (before.request.body['model'] !== now.request.body['model']) return null
  const seen = compareBodies(now.request.wire, before.request.body, now.request.body, cost.order)
  const ledger = cost.changed
  const text = JSON.stringify({ ledger, socket: seen.changed })
  if ((ledger === null) !== (seen.changed === null)) return `changed: ${text}`
  if (ledger === null || seen.changed === null)
    return cost.kept === cost.previous && cost.lost === 0 ? null : `kept: ${text}`
  if (ledger.segment !== seen.changed.segment) return `segment: ${text}`
  const isSameTool =
    seen.changed.part ===
    providerName(ledger.part, now.request.wire === 'gemini' ? 'gemini' : 'openai')
  if (ledger.segment === 'tools' && !isSameTool) return `tool: ${text}`
  if (ledger.segment !== 'conversation') return null
  // The first message that differs became these parts of the body; one of them is the first that differs.
  const message = ledger.message ?? -1
  const others = promptParts(now.request.wire, now.request.body, cost.order)
  const first = seen.keptParts - others.filter(({ segment }) => segment !== 'conversation').length
  const from = sum(now.sizes.slice(0, message))
  const to = Math.max(from, sum(now.sizes.slice(0, message + 1)) - 1)
  if (first >= from && first <= to) return null
  return `message ${message} is ${from} to ${to}, not ${first}: ${text}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
