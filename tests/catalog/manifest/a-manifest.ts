import type { Catalog } from '../../../src/catalog/create/catalog.ts'
import { buildManifest } from '../../../src/catalog/manifest/build-manifest.ts'
import { countTexts } from '../../../src/catalog/manifest/manifest-counter.ts'
import { manifestText } from '../../../src/catalog/manifest/manifest-text.ts'
import type { Manifest } from '../../../src/catalog/manifest/manifest.ts'
import type { TokenCounter } from '../../../src/kernel/token-counter.ts'

/** Counts characters, so that a test can foretell it. */
export const characters: TokenCounter = { name: 'characters', count: (text) => text.length }

/** The manifest of a catalog, with one text counted for each definition. */
export function manifestOf(catalog: Catalog, handlers = new Map<string, string>()): Manifest {
  return buildManifest(catalog, {
    tokenizer: characters.name,
    pathOf: (path) => path.replace('/built/', ''),
    handlerOf: (hash) => handlers.get(hash),
    tokensOf: ({ description }) => countTexts(characters, (noting) => noting.count(description)),
  })
}

/** The manifest as another process reads it. */
export function readBack(manifest: Manifest): unknown {
  return JSON.parse(manifestText(manifest))
}
