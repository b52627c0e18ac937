import { expect, test } from 'vitest'
import { componentHash } from '../../../src/catalog/create/catalog.ts'
import { checkComponents } from '../../../src/catalog/manifest/catalog-from-manifest.ts'
import { componentNamed } from '../component-named.ts'

const component = componentNamed('cart')
const built = (hash: string) => ({ components: [{ key: 'cart', hash }] }) as never

test.each([
  [built(componentHash(component)), [component], []],
  [built(componentHash(component)), [], ['component-missing']],
  [built('sha256:0'), [component], ['component-changed']],
  [{ components: [] }, [component], ['component-added']],
])('of components in %j and given ones %# is told: %j', (manifest, given, codes) => {
  expect(checkComponents(manifest, given).map(({ code }) => code)).toEqual(codes)
})
