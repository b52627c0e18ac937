import type { ToolComponent } from '../../components/tool-component.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { componentHash } from '../create/component-hash.ts'
import type { Manifest } from './manifest.ts'

/** Findings about components: code that a manifest was built with, and what was given at loading. */
export function checkComponents(
  { components }: Pick<Manifest, 'components'>,
  given: readonly ToolComponent[],
): readonly Diagnostic[] {
  const hashes = new Map(given.map((component) => [component.key, componentHash(component)]))
  const built = new Set(components.map(({ key }) => key))
  return [
    ...components.flatMap(({ key, hash }): Diagnostic[] => {
      const found = hashes.get(key)
      if (found === hash) return []
      const what = found === undefined ? 'was not given' : 'is not the one it was built with'
      return [
        {
          code: found === undefined ? 'component-missing' : 'component-changed',
          severity: 'warning',
          message: `The manifest was built with the component "${key}", which ${what}.`,
          hint: 'Give the component when the manifest is loaded, or build the manifest again.',
        },
      ]
    }),
    ...[...hashes.keys()]
      .filter((key) => !built.has(key))
      .map((key): Diagnostic => ({
        code: 'component-added',
        severity: 'info',
        message: `The component "${key}" was given, and the manifest was built without it.`,
        hint: 'Build the manifest again to have it covered by the version.',
      })),
  ]
}
