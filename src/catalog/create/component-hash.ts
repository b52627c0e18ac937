import { type ContentHash, contentHash } from '../../kernel/content-hash.ts'
import type { ToolComponent } from '../../components/tool-component.ts'

/** A component's identity: what it says of itself, the state it starts with, and its tools. */
export function componentHash(component: ToolComponent): ContentHash {
  const { key, displayName, description, initialState, tools } = component
  return contentHash({
    key,
    displayName,
    description,
    initialState,
    tools: tools.map(({ hash }) => hash),
  })
}
