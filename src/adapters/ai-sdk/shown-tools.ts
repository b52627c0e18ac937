import type { ModelMessage } from 'ai'
import type { ExposedTool } from '../../engine/model/event.ts'
import type { StepCost } from '../../engine/model/step-cost.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { referenceIn } from './reference-in.ts'
import type { WorkspaceStep } from '../../workspace/offer/workspace-step.ts'

/**
 * The one provider whose own deferral the SDK carries both ways: the mark on a definition, and
 * the reference in the result of a client's tool.
 */
export function defersNatively({ provider }: Pick<StepCost, 'provider'>): boolean {
  return provider === 'anthropic'
}

/**
 * The tools a request carries, and which of them deferred.
 *
 * What is deferred and was referred to has to be visible: where the provider cannot defer, it is
 * sent from then on and the rest is not; where it can, a tool whose reference is in no result
 * (the host loaded its skill, or the result was trimmed) is sent as if it were not deferred.
 */
export function shownTools(
  { tools, deferred, cost }: Pick<WorkspaceStep, 'tools' | 'deferred' | 'cost'>,
  exposed: readonly ExposedTool[],
  messages: readonly ModelMessage[],
): { readonly tools: readonly Tool[]; readonly deferred: ReadonlySet<string> } {
  if (deferred.size === 0) return { tools, deferred }
  const wanted = new Set(exposed.flatMap(({ name, referenced }) => (referenced ? name : [])))
  if (!defersNatively(cost)) {
    const shown = tools.filter(({ name }) => !deferred.has(name) || wanted.has(name))
    return { tools: shown, deferred: new Set() }
  }
  const referred = referencesIn(messages)
  const hidden = [...deferred].filter((name) => !wanted.has(name) || referred.has(name))
  return { tools, deferred: new Set(hidden) }
}

function referencesIn(messages: readonly ModelMessage[]): ReadonlySet<unknown> {
  return new Set(
    messages
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
      .flatMap((part) =>
        part.type === 'tool-result' && part.output.type === 'content' ? part.output.value : [],
      )
      .flatMap((part) => referenceIn(part) ?? []),
  )
}
