export { bindTool, toolDefinition } from '../tools/definition/make-tool.ts'
export {
  catalogFromManifest,
  type FromManifestOptions,
} from '../catalog/manifest/catalog-from-manifest.ts'
export { manifestText } from '../catalog/manifest/manifest-text.ts'
export { manifestCounter } from '../catalog/manifest/manifest-counter.ts'
export type { Manifest } from '../catalog/manifest/manifest.ts'
export { diffCatalogs } from '../catalog/diff-catalogs.ts'
export type { DefinitionChange } from '../catalog/diff-fields.ts'
export { type FileDrift, type Lock, lockDrift } from '../catalog/lock.ts'
