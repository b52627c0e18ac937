export {
  useEntries,
  usePrompt,
  useSkills,
  useTools,
  useWorkspace,
  WorkspaceProvider,
} from '../adapters/react/use-workspace.ts'
