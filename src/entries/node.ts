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
export { defineConfig, type LoadoutConfig } from '../project/config/config.ts'
export { environmentVariables } from '../project/config/environment-variables.ts'
export { carnetOutput } from '../project/export/carnet-output.ts'
export { type ExportedSkills, exportSkills } from '../project/export/export-skills.ts'
export { importCarnet } from '../project/import/import-carnet.ts'
export type { Imported } from '../project/import/imported.ts'
export type { ImportItem } from '../project/import/import-item.ts'
export { importClaude } from '../project/import/import-claude.ts'
export { type InitialisedProject, initProject } from '../project/init/init-project.ts'
export { exportCarnet, type ExportCarnetOptions } from '../project/export/export-carnet.ts'
export { loadCarnet, type LoadedCarnet } from '../project/folders/load-carnet.ts'
export {
  loadConfig,
  type LoadConfigOptions,
  type LoadedConfig,
} from '../project/config/load-config.ts'
export type { LoadLimits, LoadOptions } from '../project/walk/load-options.ts'
export { loadSkills } from '../project/folders/load-skills.ts'
export type { CarnetFolder, HandlerFile, Loaded, LoadedItem } from '../project/folders/loaded.ts'
export { openProject, type Project, type ProjectOptions } from '../project/folders/open-project.ts'
export type { ProjectConfig } from '../project/config/project-config.ts'
export { SCRIPT_INTERPRETERS, type ScriptInterpreters } from '../project/scripts/interpreters.ts'
export {
  openScriptRunner,
  type ScriptRunnerOptions,
} from '../project/scripts/open-script-runner.ts'
export { type FolderApprovals, openApprovals } from '../project/trust/folder-approvals.ts'
export { secretsFromEnvironment } from '../project/config/secrets-from-environment.ts'
export { openTrustStore, type TrustStatus, type TrustStore } from '../project/trust/trust-store.ts'
export type { TrustRecord } from '../project/trust/trust-file.ts'
export { usualPlaces, type UsualPlaces } from '../project/config/usual-places.ts'
export { writeCarnetManifest, type WrittenCarnet } from '../project/export/write-carnet-manifest.ts'
export { exportLines, type ExportOptions } from '../adapters/logs/jsonl/export-lines.ts'
export { exportLog } from '../adapters/logs/jsonl/export-log.ts'
export {
  type ImportedSession,
  type ImportOptions,
  importSession,
} from '../adapters/logs/jsonl/import-session.ts'
export type { LogText } from '../adapters/logs/jsonl/scan-pieces.ts'
export { type ImportedLog, importLog } from '../adapters/logs/jsonl/import-log.ts'
export type { Durability } from '../workspace/log/durability.ts'
export type { LogDamage } from '../workspace/log/log-damage.ts'
export type { LogRepair } from '../workspace/log/log-repair.ts'
export { type JsonlRepairOptions, repairJsonlLog } from '../adapters/logs/jsonl/repair-jsonl-log.ts'
export {
  type JsonlLog,
  type JsonlLogOptions,
  openJsonlLog,
} from '../adapters/logs/jsonl/open-jsonl-log.ts'
export type { CarnetConfig } from '../adapters/carnet/format/read-carnet-config.ts'

export { embedderFromUrl } from '../adapters/embeddings/embedder-from-url.ts'
export type { UrlEmbedderOptions } from '../adapters/embeddings/embedder-from-url.ts'
export { openEmbeddingFile } from '../adapters/embeddings/open-embedding-file.ts'
export type { EmbeddingFile } from '../adapters/embeddings/open-embedding-file.ts'
export { openLanceVectors } from '../adapters/embeddings/open-lance-vectors.ts'
export type { LanceOptions } from '../adapters/embeddings/open-lance-vectors.ts'
export type { LintReport } from '../catalog/lint/lint-catalog.ts'
export type { LintedItem, LintKind, LintStatus } from '../catalog/lint/checks/lint-item.ts'
export type { LintLevel } from '../catalog/lint/codes/lint-level.ts'
