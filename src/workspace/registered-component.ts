import type { ToolComponent } from '../components/tool-component.ts'
import type { WorkspaceState } from '../engine/state.ts'
import type { JsonValue } from '../kernel/json.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'

/** A component of a session, with its state as it is now. */
export interface RegisteredComponent {
  readonly component: ToolComponent
  readonly state: JsonValue
}

/** Look a component up. Throws `COMPONENT_UNKNOWN`. */
export function registeredComponent(
  key: string,
  { components: held }: WorkspaceState,
  components: ReadonlyMap<string, ToolComponent>,
): RegisteredComponent {
  const component = components.get(key)
  const known = held.find((one) => one.key === key)
  if (component && known) return { component, state: known.state }
  throw new WorkspaceError('COMPONENT_UNKNOWN', `No component "${key}" is registered.`, {
    facts: { component: key, known: held.map((one) => one.key) },
    hint: 'Register it first.',
  })
}
