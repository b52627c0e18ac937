export {
  useEntries,
  usePrompt,
  useSkills,
  useTools,
  useWorkspace,
  WorkspaceProvider,
} from '../connections/wires/react/use-workspace.ts'
