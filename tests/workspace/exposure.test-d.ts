import type { Catalog, ExposureName, WorkspaceOptions, WorkspaceStep } from 'loadout'
import type { ProviderFacts } from 'loadout/adapter'
import { expectTypeOf, test } from 'vitest'

declare const catalog: Catalog

test('a strategy and a provider go by name or are objects of the host', () => {
  const plan = () => ({ tools: [], deferred: new Set<string>() })
  const options: WorkspaceOptions[] = [
    { catalog, exposure: 'auto', provider: 'anthropic' },
    { catalog, exposure: 'bridge' },
    { catalog, exposure: { name: 'own', plan } },
    // @ts-expect-error no strategy has this name
    { catalog, exposure: 'bridged' },
    // @ts-expect-error no provider has this name
    { catalog, provider: 'antropic' },
  ]
  expectTypeOf(options).toBeArray()
  expectTypeOf<ExposureName>().toEqualTypeOf<
    'active' | 'append' | 'deferred' | 'conversation' | 'bridge'
  >()
  expectTypeOf<ProviderFacts['order'][number]>().toEqualTypeOf<
    'tools' | 'instructions' | 'conversation'
  >()
})

test('every step has its cost, and the tools to defer and refer to', () => {
  expectTypeOf<WorkspaceStep['cost']['kept']>().toBeNumber()
  expectTypeOf<WorkspaceStep['deferred']>().toEqualTypeOf<ReadonlySet<string>>()
  expectTypeOf<WorkspaceStep['references']>().toEqualTypeOf<readonly string[]>()
})
