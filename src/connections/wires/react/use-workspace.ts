import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import {
  type Entry,
  type SessionSnapshot,
  type SkillListing,
  type ToolListing,
  type VirtualWorkspace,
  WorkspaceError,
  type WorkspacePrompt,
} from '../../../entries/index.ts'

const Shared = createContext<VirtualWorkspace | null>(null)

/** Passes a workspace to the hooks in the tree below. */
export function WorkspaceProvider({
  workspace,
  children,
}: {
  readonly workspace: VirtualWorkspace
  readonly children?: ReactNode
}): ReactElement {
  return createElement(Shared.Provider, { value: workspace }, children)
}

/** Returns the workspace itself, to change the session. The component is not drawn again when the session changes. */
export function useWorkspace(): VirtualWorkspace
/**
 * Returns what a function reads from the workspace. The component is drawn again when the session changes and the
 * function returns another value, compared by `Object.is`.
 */
export function useWorkspace<Value>(select: (workspace: VirtualWorkspace) => Value): Value
export function useWorkspace<Value>(
  select?: (workspace: VirtualWorkspace) => Value,
): Value | VirtualWorkspace {
  const workspace = useContext(Shared)
  if (workspace === null) {
    throw new WorkspaceError('OPTIONS_INVALID', 'No WorkspaceProvider is above this component.', {
      facts: {},
      hint: 'Put <WorkspaceProvider workspace={workspace}> around it.',
    })
  }
  const read = select ?? itself
  const last = useRef<Selected<Value> | null>(null)
  const get = () => {
    const snapshot = workspace.store.getState()
    const known = last.current
    if (known !== null && known.snapshot === snapshot && known.read === read) return known.value
    const value = read(workspace)
    last.current = { snapshot, read, value }
    return value
  }
  return useSyncExternalStore((notify) => workspace.store.subscribe(notify), get, get)
}

/** A value and what it was read from: reading twice returns the same object. */
interface Selected<Value> {
  readonly snapshot: SessionSnapshot
  readonly read: unknown
  readonly value: Value | VirtualWorkspace
}

const itself = (workspace: VirtualWorkspace) => workspace

/** Returns the skills with their status. */
export function useSkills(): readonly SkillListing[] {
  return useWorkspace(selectSkills)
}

/** Returns the tools with their status, also those of inactive skills. */
export function useTools(): readonly ToolListing[] {
  return useWorkspace(selectTools)
}

/** Returns the prompt that the model would read now. */
export function usePrompt(): WorkspacePrompt {
  return useWorkspace(selectPrompt)
}

// The same functions at every draw: what was read stays known.
const selectSkills = (workspace: VirtualWorkspace) => workspace.skills()

const selectTools = (workspace: VirtualWorkspace) => workspace.tools()

const selectPrompt = (workspace: VirtualWorkspace) => workspace.prompt()

/** Returns the entries of the session; none until they were read. */
export function useEntries(): readonly Entry[] {
  const workspace = useWorkspace()
  const [entries, setEntries] = useState<readonly Entry[]>([])
  useEffect(() => {
    let isMounted = true
    const read = () =>
      void workspace.entries().then((all) => {
        if (isMounted) setEntries(all)
      })
    read()
    const stop = workspace.subscribe(read)
    return () => {
      isMounted = false
      stop()
    }
  }, [workspace])
  return entries
}
