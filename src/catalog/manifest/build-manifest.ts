import { componentHash } from '../create/component-hash.ts'
import { byName } from '../../kernel/by-name.ts'
import type { Catalog } from '../create/catalog.ts'
import { manifestDigest } from './manifest-digest.ts'
import { type ManifestNotes, manifestParts } from './manifest-parts.ts'
import { type Manifest, MANIFEST_FORMAT } from './manifest.ts'

export interface ManifestOptions extends ManifestNotes {
  /** The tokenizer that `tokensOf` counts by. */
  readonly tokenizer: string
}

/**
 * Write a catalog down as a manifest. Skills that lost their name to another one are not in it, nor
 * is code: handlers are bound again by hash, components given again by key.
 */
export function buildManifest(catalog: Catalog, options: ManifestOptions): Manifest {
  const parts = manifestParts(options)
  const content = {
    format: MANIFEST_FORMAT,
    version: catalog.hash,
    tokenizer: options.tokenizer,
    skills: Array.from(catalog.skills.values(), parts.skill),
    toolsets: Array.from(catalog.toolsets.values(), parts.toolset),
    tools: [...catalog.sharedTools.values()].flat().map(parts.tool),
    globalTools: catalog.globalTools.map(({ hash }) => hash),
    agents: Array.from(catalog.agents.values(), parts.withPath),
    rules: Array.from(catalog.rules.values(), parts.withPath),
    components: Array.from(catalog.components.values(), (component) => ({
      key: component.key,
      hash: componentHash(component),
    })).sort((a, b) => byName(a.key, b.key)),
  } as const
  return { ...content, digest: manifestDigest(content) }
}
