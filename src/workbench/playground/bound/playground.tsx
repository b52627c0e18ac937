import * as ink from 'ink'
import {
  createContext as createReactContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { type TokenCounter, type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { DEFAULT_THEME, type Theme } from '../../../entries/ink-views.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import type { LoadoutConfig } from '../../project/config/define-config.ts'
import type { KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { focusedPane, paneTitle, type ScreenPane } from '../context/screen-pane.ts'
import { createUiStore } from '../context/ui-state.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { DIALOGS } from '../dialogs/dialogs.tsx'
import { PANES } from '../panes/panes.ts'
import { chatPane } from '../panes/chat-pane.tsx'
import { promptPane } from '../panes/prompt-pane.tsx'
import { skillsPane } from '../panes/skills-pane.tsx'
import { timelinePane } from '../panes/timeline-pane.tsx'
import { toolsPane } from '../panes/tools-pane.tsx'
import { waitingPane } from '../panes/waiting-pane.tsx'
import { buildKeyTable } from '../screen/build-key-table.ts'
import { FramedPane, Screen } from '../screen/screen.tsx'
import { createContext } from '../session/create-context.ts'
import { NO_TERMINAL } from '../terminal/terminal-control.ts'

export interface PlaygroundProps {
  readonly workspace: VirtualWorkspace
  /** The counter that the workspace was opened with, if it was given one. */
  readonly tokenCounter?: TokenCounter
  /** A model of the AI SDK, or its id at the gateway, to write to in the chat. It needs the package `ai`. */
  readonly model?: LoadoutConfig['model']
  readonly theme?: Theme
  /** Called when somebody leaves the screen. Ink's app exits when absent. */
  onExit?(): void
  /** The panes to show, such as `<SkillsPane/>`, in boxes; all when absent. */
  readonly children?: ReactNode
}

/** The parts of a mounted playground that its panes use. */
interface Mounted {
  readonly context: PlaygroundContext
  readonly table: KeyTable
  readonly theme: Theme
  /** Adds a pane that is shown; returns its removal. */
  show(id: string): () => void
}

const Shared = createReactContext<Mounted | null>(null)

/** The screen of the playground in an application, with all its keys. It draws nothing until the session was read. */
export function Playground({
  workspace,
  tokenCounter,
  model,
  theme = DEFAULT_THEME,
  onExit,
  children,
}: PlaygroundProps): ReactElement | null {
  if (ink.usePaste === undefined) {
    throw new WorkspaceError(
      'SDK_UNSUPPORTED',
      'The playground needs version 7 or newer of the package "ink", and version 6 or older is installed.',
      {
        hint: 'Run "npm install ink@latest". The components of loadout/ink draw with version 6, too.',
      },
    )
  }
  const app = ink.useApp()
  const exit = onExit ?? app.exit
  const [context, setContext] = useState<PlaygroundContext | null>(null)
  const [shown, setShown] = useState<readonly string[]>([])
  const table = useMemo(() => {
    const panes = PANES.filter(({ id }) => shown.includes(id))
    return buildKeyTable(panes.length === 0 ? PANES : panes, DIALOGS)
  }, [shown])
  useEffect(() => {
    let isMounted = true
    const opening = openContext({ workspace, tokenCounter, model, exit: () => exit() })
    void opening.then(
      (opened) => isMounted && setContext(opened.context),
      // For the error boundary of the application.
      (error: unknown) =>
        setContext(() => {
          throw error
        }),
    )
    return () => {
      isMounted = false
      void opening.then(({ close }) => close()).catch(() => {})
    }
  }, [workspace, tokenCounter, model, exit])
  const mounted = useMemo(
    (): Mounted | null =>
      context && {
        context,
        table,
        theme,
        show(id) {
          setShown((before) => [...before, id])
          return () => setShown((before) => before.filter((one) => one !== id))
        },
      },
    [context, table, theme],
  )
  if (mounted === null || context === null) return null
  return (
    <Shared value={mounted}>
      <Screen {...{ context, table, theme }}>{children}</Screen>
    </Shared>
  )
}

interface Opened {
  readonly workspace: VirtualWorkspace
  readonly tokenCounter: TokenCounter | undefined
  readonly model: unknown
  exit(): void
}

async function openContext({ workspace, tokenCounter, model, exit }: Opened) {
  return createContext({
    workspace,
    ui: createUiStore(PANES[0]?.id ?? ''),
    counter: tokenCounter ?? (await o200kCounter()),
    live: true,
    // The application keeps the messages no longer than the screen.
    openChat:
      model === undefined
        ? undefined
        : async (parts) => {
            const [{ configuredModel, openChat }, { openChatStore }] = await Promise.all([
              import('../chat/open-chat.ts'),
              import('../chat/chat-store.ts'),
            ])
            const { store = openChatStore(null, workspace.session) } = parts
            return openChat({ ...parts, store, model: configuredModel(model) })
          },
    // Changes on disk and the terminal belong to the application.
    accept: async () => {},
    terminal: { ...NO_TERMINAL, exit },
  })
}

/** The size of a pane in columns and rows, with its border. */
export interface PlaygroundPaneProps {
  readonly width: number
  readonly height: number
}

/** The skills, to activate and deactivate. */
export const SkillsPane = bound(skillsPane)

/** The tools with their status and its reason, to call and to switch. */
export const ToolsPane = bound(toolsPane)

/** The questions of calls, to approve and to deny. */
export const ApprovalsPane = bound(waitingPane)

/** The entries, to travel in time. */
export const TimelinePane = bound(timelinePane)

/** The conversation with the model of the playground. */
export const ChatPane = bound(chatPane)

/** The next request with its prices. */
export const PromptPane = bound(promptPane)

/** Creates the component of a pane: it takes the session from the playground above it. */
function bound(pane: ScreenPane): (props: PlaygroundPaneProps) => ReactElement {
  return function BoundPane({ width, height }) {
    const mounted = useContext(Shared)
    if (mounted === null) {
      throw new WorkspaceError('OPTIONS_INVALID', 'No Playground is above this pane.', {
        facts: {},
        hint: 'Put <Playground workspace={workspace}> around it.',
      })
    }
    const { context, table, theme, show } = mounted
    const state = useShown(context, (ui) => ui)
    useReader(context)
    useLayoutEffect(() => show(pane.id), [])
    return (
      <FramedPane
        {...{ pane, context, width, height, theme }}
        tabs={paneTitle(pane)}
        status={pane.status(context)}
        focused={pane === focusedPane(table.panes, state)}
      />
    )
  }
}
