import type { ToolComponent } from '../../components/tool-component.ts'
import type { Outcome } from '../commands/outcome.ts'
import type { RegistrationOptions } from './command-options.ts'
import { registerTools } from './register-tools.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/**
 * Register a component. It is known before its entry is there, since listeners draw its panel with
 * the entry; one that was refused is forgotten again.
 */
export async function registerComponent(
  parts: SessionParts,
  component: ToolComponent,
  options?: RegistrationOptions,
): Promise<Outcome> {
  const { key, tools, initialState: state } = component
  const { components } = parts
  const before = components.get(key)
  components.set(key, component)
  let stands = false
  try {
    const registered = { source: 'component', owner: key, tools, state } as const
    const outcome = await registerTools(parts, registered, options)
    stands = outcome.ok
    return outcome
  } finally {
    if (!stands && before) components.set(key, before)
    else if (!stands) components.delete(key)
  }
}
