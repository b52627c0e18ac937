import type { ToolComponent } from '../../src/components/define-component.ts'
import { toolNamed } from '../skills/tool-named.ts'

/** A component with one tool and nothing to show. */
export function componentNamed(key: string, fields: Partial<ToolComponent> = {}): ToolComponent {
  return {
    key,
    displayName: key,
    priority: 0,
    description: 'Any.',
    initialState: null,
    tools: [toolNamed(`add_${key}`)],
    panel: () => ({ title: key, lines: [] }),
    exportState: (state) => state,
    restoreState: () => null,
    ...fields,
  }
}
