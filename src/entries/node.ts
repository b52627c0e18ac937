export {
  type BuildOptions,
  buildProject,
  type BuildStage,
  type ProjectBuild,
} from '../project/manifest/build-project.ts'
export {
  type OpenedManifest,
  openManifest,
  type OpenManifestOptions,
} from '../project/manifest/open-manifest.ts'
export { type LintOptions, lintProject } from '../project/lint/lint-project.ts'
export { lockProject } from '../project/lock/lock-project.ts'
export { bindHandlers, type BindOptions } from '../project/folders/bind-handlers.ts'
export {
  defineConfig,
  type LoadoutConfig,
  type ProjectConfig,
} from '../project/config/define-config.ts'
export {
  environmentVariables,
  secretsFromEnvironment,
} from '../project/config/environment-variables.ts'
export {
  carnetOutput,
  exportCarnet,
  type ExportCarnetOptions,
  writeCarnetManifest,
  type WrittenCarnet,
} from '../project/export/export-carnet.ts'
export { type ExportedSkills, exportSkills } from '../project/export/export-skills.ts'
export { importCarnet } from '../project/import/import-carnet.ts'
export type { Imported, ImportItem } from '../project/import/imported.ts'
export { importClaude } from '../project/import/import-claude.ts'
export { type InitialisedProject, initProject } from '../project/init/init-project.ts'
export { loadCarnet, type LoadedCarnet } from '../project/folders/load-carnet.ts'
export {
  type CarnetFolder,
  loadConfig,
  type LoadConfigOptions,
  type LoadedConfig,
} from '../project/config/load-config.ts'
export type { LoadLimits, LoadOptions } from '../project/walk/load-options.ts'
export { loadSkills } from '../project/folders/load-skills.ts'
export type { HandlerFile, Loaded, LoadedItem } from '../project/folders/loaded.ts'
export { openProject, type Project, type ProjectOptions } from '../project/folders/open-project.ts'
export {
  openScriptRunner,
  SCRIPT_INTERPRETERS,
  type ScriptInterpreters,
  type ScriptRunnerOptions,
} from '../project/scripts/open-script-runner.ts'
export { type FolderApprovals, openApprovals } from '../project/trust/folder-approvals.ts'
export {
  openTrustStore,
  type TrustRecord,
  type TrustStatus,
  type TrustStore,
} from '../project/trust/trust-store.ts'
export {
  defaultPaths as usualPlaces,
  type DefaultPathsOptions as UsualPlaces,
} from '../project/config/default-paths.ts'
export { exportLines, exportLog, type ExportOptions } from '../adapters/logs/jsonl/export-lines.ts'
export {
  type ImportedLog,
  type ImportedSession,
  importLog,
  type ImportOptions,
  importSession,
  type LogText,
} from '../adapters/logs/jsonl/import-session.ts'
export type { Durability } from '../workspace/log/event-log.ts'
export type { LogDamage, LogRepair } from '../workspace/log/log-damage.ts'
export { type JsonlRepairOptions, repairJsonlLog } from '../adapters/logs/jsonl/repair-jsonl-log.ts'
export {
  type JsonlLog,
  type JsonlLogOptions,
  openJsonlLog,
} from '../adapters/logs/jsonl/open-jsonl-log.ts'
export type { CarnetConfig } from '../adapters/carnet/format/read-carnet-config.ts'

export {
  embedderFromUrl,
  type UrlEmbedderOptions,
} from '../adapters/embeddings/embedder-from-url.ts'
export {
  type EmbeddingFile,
  openEmbeddingFile,
} from '../adapters/embeddings/open-embedding-file.ts'
export { type LanceOptions, openLanceVectors } from '../adapters/embeddings/open-lance-vectors.ts'
export type { LintReport } from '../catalog/lint/lint-catalog.ts'
export type { LintedItem, LintKind, LintStatus } from '../catalog/lint/checks/lint-input.ts'
export type { LintLevel } from '../catalog/lint/codes/diagnostic-group.ts'
