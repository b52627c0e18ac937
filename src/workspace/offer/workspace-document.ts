import { z } from 'zod'
import type { Panel, ToolComponent } from '../../components/tool-component.ts'
import { foundTools } from '../../engine/standing/found-tools.ts'
import { isMeta } from '../../engine/model/meta-owner.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import { buildPromptDocument } from '../../render/prompt/build-prompt-document.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import { redactDocument } from '../../render/prompt/document/redact-document.ts'
import type { ComponentPanel } from '../../render/prompt/document/prompt-input.ts'
import { thrownMessage } from '../commands/thrown-message.ts'
import type { PromptRequest } from './prompt-request.ts'

/** The prompt document of a state, by the path that previews and adapters share. */
export function workspaceDocument(
  state: WorkspaceState,
  surroundings: Surroundings,
  counter: TokenCounter,
  scope: VariableScope | undefined,
  { format: _format, variables, ...options }: PromptRequest,
): PromptDocument {
  const { catalog, agent } = surroundings
  const meta = state.open.find(isMeta)?.claims ?? []
  const document = buildPromptDocument({
    catalog,
    agent,
    state,
    tools: toolTable(state, surroundings).rows,
    components: panels(state, surroundings),
    variables: [scope, variables].filter((one) => one !== undefined),
    counter,
    options: { ...options, metaTools: meta.map(({ name }) => name) },
    searches: surroundings.discovery !== undefined,
    found: foundTools(state, surroundings),
  })
  const { redactor } = surroundings
  return redactor === undefined ? document : redactDocument(document, redactor)
}

/** Panels as they were drawn, and what by: another build of a component draws anew. */
interface Drawn {
  readonly by: readonly (ToolComponent | undefined)[]
  readonly panels: readonly ComponentPanel[]
}

const drawn = new WeakMap<WorkspaceState['components'], Drawn>()

/** The panels of the registered components, drawn once for the states they show. */
function panels(state: WorkspaceState, surroundings: Surroundings): readonly ComponentPanel[] {
  const by = state.components.map(({ key }) => surroundings.component(key))
  const known = drawn.get(state.components)
  if (known?.by.every((one, index) => one === by[index])) return known.panels
  const made = state.components.flatMap(({ key, state: own }, index): ComponentPanel[] => {
    const component = by[index]
    return component
      ? [{ key, displayName: component.displayName, panel: panel(component, own) }]
      : []
  })
  drawn.set(state.components, { by, panels: made })
  return made
}

/** A component's panel; one that throws, or is none, says so in its place, and the others stay. */
function panel(component: ToolComponent, state: JsonValue): Panel {
  try {
    const drawn = plainPanel.safeParse(component.panel(state))
    return drawn.success ? drawn.data : notDrawn(component, NOT_A_PANEL)
  } catch (error) {
    return notDrawn(component, thrownMessage(error))
  }
}

function notDrawn({ displayName }: ToolComponent, why: string): Panel {
  return { title: displayName, lines: [`This panel could not be drawn: ${why}`] }
}

/** The type says as much; a state that was restored, and plain JavaScript, may not keep to it. */
const plainPanel = z.object({ title: z.string(), lines: z.array(z.string()) })

const NOT_A_PANEL = 'it is not { title, lines } with a list of texts.'
