export {
  type BuildOptions,
  buildProject,
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
export type { Imported } from '../project/import/imported.ts'
export { importClaude } from '../project/import/import-claude.ts'
export { type InitialisedProject, initProject } from '../project/init/init-project.ts'
export { loadCarnet, type LoadedCarnet } from '../project/folders/load-carnet.ts'
export {
  loadConfig,
  type LoadConfigOptions,
  type LoadedConfig,
} from '../project/config/load-config.ts'
export type { LoadLimits, LoadOptions } from '../project/walk/load-options.ts'
export { loadSkills } from '../project/folders/load-skills.ts'
export type { Loaded } from '../project/folders/loaded.ts'
export { openProject, type Project, type ProjectOptions } from '../project/folders/open-project.ts'
export {
  type FolderSandbox,
  type FolderSandboxOptions,
  openFolderSandbox,
} from '../project/sandbox/open-folder-sandbox.ts'
export {
  type FileToolNames,
  type FileToolOptions,
  fileTools,
} from '../project/sandbox/file-tools.ts'
export {
  type FencedSandboxOptions,
  openFencedSandbox,
} from '../project/sandbox/open-fenced-sandbox.ts'
export {
  type MemorySandboxOptions,
  openMemorySandbox,
} from '../project/sandbox/open-memory-sandbox.ts'
export type { SandboxSession } from '../project/sandbox/sandbox-session.ts'
export {
  type ReadServer,
  readServers,
  type ServerFile,
  type ServerFileOptions,
} from '../project/servers/read-servers.ts'
export type { HostProcess, ProcessEnd } from '../processes/start-process.ts'
export { shellTool, type ShellToolOptions } from '../project/sandbox/shell-tool.ts'
export {
  openScriptRunner,
  type ScriptRunnerOptions,
} from '../project/scripts/open-script-runner.ts'
export { SCRIPT_INTERPRETERS } from '../project/scripts/script-interpreters.ts'
export {
  openSkillSwitches,
  type SkillSwitches,
  type SwitchedOff,
} from '../project/config/skill-switches.ts'
export { type FolderApprovals, openApprovals } from '../project/trust/folder-approvals.ts'
export {
  openTrustStore,
  type TrustRecord,
  type TrustStatus,
  type TrustStore,
} from '../project/trust/trust-store.ts'
export {
  type ProjectUpdate,
  type ProjectWatch,
  type WatchOptions,
  watchProject,
} from '../project/watch-project.ts'
export { defaultPaths, type DefaultPathsOptions } from '../project/config/default-paths.ts'
export { exportLines, exportLog, type ExportOptions } from '../adapters/logs/jsonl/export-lines.ts'
export {
  type ImportedLog,
  type ImportedSession,
  importLog,
  type ImportOptions,
  importSession,
} from '../adapters/logs/jsonl/import-session.ts'
export type { LogRepair } from '../workspace/log/log-damage.ts'
export { type JsonlRepairOptions, repairJsonlLog } from '../adapters/logs/jsonl/repair-jsonl-log.ts'
export {
  type JsonlLog,
  type JsonlLogOptions,
  openJsonlLog,
} from '../adapters/logs/jsonl/open-jsonl-log.ts'

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
