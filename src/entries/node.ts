export {
  type BuildOptions,
  buildProject,
  type ProjectBuild,
} from '../workbench/project/manifest/build-project.ts'
export {
  type OpenedManifest,
  openManifest,
  type OpenManifestOptions,
} from '../workbench/project/manifest/open-manifest.ts'
export { type LintOptions, lintProject } from '../workbench/project/lint/lint-project.ts'
export { lockProject } from '../workbench/project/lock/lock-project.ts'
export { bindHandlers, type BindOptions } from '../workbench/project/folders/bind-handlers.ts'
export {
  defineConfig,
  type LoadoutConfig,
  type ProjectConfig,
} from '../workbench/project/config/define-config.ts'
export {
  environmentVariables,
  secretsFromEnvironment,
} from '../workbench/project/config/environment-variables.ts'
export {
  carnetOutput,
  exportCarnet,
  type ExportCarnetOptions,
  writeCarnetManifest,
  type WrittenCarnet,
} from '../workbench/project/export/export-carnet.ts'
export { type ExportedSkills, exportSkills } from '../workbench/project/export/export-skills.ts'
export { importCarnet } from '../workbench/project/import/import-carnet.ts'
export type { Imported } from '../workbench/project/import/imported.ts'
export { importClaude } from '../workbench/project/import/import-claude.ts'
export { type InitialisedProject, initProject } from '../workbench/project/init/init-project.ts'
export { loadCarnet, type LoadedCarnet } from '../workbench/project/folders/load-carnet.ts'
export {
  loadConfig,
  type LoadConfigOptions,
  type LoadedConfig,
} from '../workbench/project/config/load-config.ts'
export type { LoadLimits, LoadOptions } from '../workbench/project/walk/load-options.ts'
export { loadSkills } from '../workbench/project/folders/load-skills.ts'
export type { Loaded } from '../workbench/project/folders/loaded.ts'
export {
  openProject,
  type Project,
  type ProjectOptions,
} from '../workbench/project/folders/open-project.ts'
export {
  type FolderSandbox,
  type FolderSandboxOptions,
  openFolderSandbox,
} from '../workbench/project/sandbox/open-folder-sandbox.ts'
export {
  type FileToolNames,
  type FileToolOptions,
  fileTools,
} from '../workbench/project/sandbox/file-tools.ts'
export {
  type FencedSandboxOptions,
  openFencedSandbox,
} from '../workbench/project/sandbox/open-fenced-sandbox.ts'
export {
  type MemorySandboxOptions,
  openMemorySandbox,
} from '../workbench/project/sandbox/open-memory-sandbox.ts'
export type { SandboxSession } from '../workbench/project/sandbox/sandbox-session.ts'
export {
  type ReadServer,
  readServers,
  type ServerFile,
  type ServerFileOptions,
} from '../workbench/project/servers/read-servers.ts'
export type { HostProcess, ProcessEnd } from '../connections/processes/start-process.ts'
export { shellTool, type ShellToolOptions } from '../workbench/project/sandbox/shell-tool.ts'
export {
  openScriptRunner,
  type ScriptRunnerOptions,
} from '../workbench/project/scripts/open-script-runner.ts'
export { SCRIPT_INTERPRETERS } from '../workbench/project/scripts/script-interpreters.ts'
export {
  openSkillSwitches,
  type SkillSwitches,
  type SwitchedOff,
} from '../workbench/project/config/skill-switches.ts'
export { type FolderApprovals, openApprovals } from '../workbench/project/trust/folder-approvals.ts'
export {
  openTrustStore,
  type TrustRecord,
  type TrustStatus,
  type TrustStore,
} from '../workbench/project/trust/trust-store.ts'
export {
  type ProjectUpdate,
  type ProjectWatch,
  type WatchOptions,
  watchProject,
} from '../workbench/project/watch-project.ts'
export {
  defaultPaths,
  type DefaultPathsOptions,
} from '../workbench/project/config/default-paths.ts'
export {
  exportLines,
  exportLog,
  type ExportOptions,
} from '../connections/logs/jsonl/export-lines.ts'
export {
  type ImportedLog,
  type ImportedSession,
  importLog,
  type ImportOptions,
  importSession,
} from '../connections/logs/jsonl/import-session.ts'
export type { LogRepair } from '../connections/logs/log-damage.ts'
export {
  type JsonlRepairOptions,
  repairJsonlLog,
} from '../connections/logs/jsonl/repair-jsonl-log.ts'

export {
  embedderFromUrl,
  type UrlEmbedderOptions,
} from '../connections/wires/embeddings/embedder-from-url.ts'
export {
  type EmbeddingFile,
  openEmbeddingFile,
} from '../connections/wires/embeddings/open-embedding-file.ts'
export type { LintReport } from '../catalog/lint/lint-catalog.ts'
