import type { ToolComponent } from '../../components/tool-component.ts'
import { componentHash } from './component-hash.ts'
import { type UniqueByName, uniqueByName } from './unique-by-name.ts'

/** `uniqueByName` for components, which go by their key and carry no hash. */
export function uniqueComponents(items: readonly ToolComponent[]): UniqueByName<ToolComponent> {
  const { unique, shadowed, diagnostics } = uniqueByName(
    'component',
    items.map((component) => ({
      name: component.key,
      hash: componentHash(component),
      component,
    })),
  )
  return {
    unique: new Map([...unique].map(([key, { component }]) => [key, component])),
    shadowed: shadowed.map(({ component }) => component),
    diagnostics,
  }
}
