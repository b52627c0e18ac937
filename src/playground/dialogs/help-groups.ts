import type { KeyHelpGroup } from '../../render/ink/views/key-help.tsx'
import { keyName } from '../keys/key-name.ts'
import type { KeyScope } from '../context/key-table.ts'

/** Every key there is, under when it holds; what holds for this pane comes first. */
export function helpGroups(scopes: readonly KeyScope[], pane: string): readonly KeyHelpGroup[] {
  const own = scopes.filter(({ id }) => id === pane)
  const others = scopes.filter(({ id }) => id !== pane)
  return [...own, ...others]
    .filter(({ actions }) => actions.length > 0)
    .map(({ title, actions }) => ({
      title,
      rows: actions.map(({ keys, title }) => ({ keys: keys.map(keyName), title })),
    }))
}
