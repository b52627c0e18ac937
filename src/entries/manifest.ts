export { bindTool, toolDefinition } from '../tools/definition/make-tool.ts'
export {
  catalogFromManifest,
  type FromManifestOptions,
} from '../catalog/manifest/catalog-from-manifest.ts'
export { manifestText } from '../catalog/manifest/manifest-text.ts'
export { manifestCounter } from '../catalog/manifest/manifest-counter.ts'
export type { Manifest } from '../catalog/manifest/manifest.ts'
export { type FileDrift, type Lock, lockDrift } from '../catalog/lock.ts'

// What is locked.
export { isListedOnly } from '../catalog/catalog-from-listing.ts'
export {
  type AddedSkill,
  changedSince,
  listingOf,
  LOCK_FORMAT,
  lockAdded,
  type LockedFile,
  type LockedServer,
  type LockedSkill,
  lockText,
  readLock,
  skillUri,
} from '../catalog/lock.ts'

// A manifest is written.
export type { SkillTool } from '../catalog/create/catalog.ts'
export { keepSkills } from '../catalog/create/create-catalog.ts'
export { replaceTools } from '../catalog/create/replace-tools.ts'
export { type DefinitionChange, diffCatalogs, diffFields } from '../catalog/diff-fields.ts'
export { type FieldChange, unifiedDiff } from '../catalog/diff-fields.ts'
export { buildManifest } from '../catalog/manifest/build-manifest.ts'
export { countTexts, tokenDigest } from '../catalog/manifest/manifest-counter.ts'
export {
  type ManifestSkill,
  type ManifestTool,
  manifestTools,
  type TokenCounts,
} from '../catalog/manifest/manifest.ts'
export { readManifest } from '../catalog/manifest/read-manifest.ts'
export { SCHEMA_PROVIDERS } from '../schema/provider-forms/provider-schema.ts'
export { isBound } from '../tools/definition/make-tool.ts'
