import { expectTypeOf, test } from 'vitest'
import type { Catalog } from '../../../src/catalog/create/catalog.ts'
import {
  catalogFromManifest,
  type FromManifestOptions,
} from '../../../src/catalog/manifest/catalog-from-manifest.ts'
import type { Manifest, ManifestTool } from '../../../src/catalog/manifest/manifest.ts'
import type { Tool, ToolDefinition } from '../../../src/tools/definition/tool.ts'

test('anything parsed may be given, and a catalog like any other comes of it', () => {
  expectTypeOf(catalogFromManifest).parameter(0).toBeUnknown()
  expectTypeOf(catalogFromManifest).returns.resolves.toEqualTypeOf<Catalog>()
})

test('a tool of a manifest is a definition with its hash, and its handler is what a tool runs', () => {
  expectTypeOf<ManifestTool>().toExtend<ToolDefinition & Pick<Tool, 'hash'>>()
  type HandlerOf = NonNullable<FromManifestOptions['handlerOf']>
  expectTypeOf<ReturnType<HandlerOf>>().toEqualTypeOf<Tool['execute'] | undefined>()
})

test('a manifest cannot be written to', () => {
  expectTypeOf<Manifest['skills']>().toExtend<readonly object[]>()
  // @ts-expect-error a manifest is read only
  const write = (manifest: Manifest) => (manifest.version = 'sha256:')
  expectTypeOf(write).toBeFunction()
})
