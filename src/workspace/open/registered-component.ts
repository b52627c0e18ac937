import type { ToolComponent } from '../../components/tool-component.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { JsonValue } from '../../kernel/json.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

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
  const facts = { component: key, known: held.map((one) => one.key) }
  if (known) {
    throw new WorkspaceError(
      'COMPONENT_UNKNOWN',
      `The session has the component "${key}", and this process has no definition of it.`,
      { facts, hint: 'Open the session with its definition, in the catalog or by "components".' },
    )
  }
  throw new WorkspaceError('COMPONENT_UNKNOWN', `No component "${key}" is registered.`, {
    facts,
    hint: 'Register it first.',
  })
}
