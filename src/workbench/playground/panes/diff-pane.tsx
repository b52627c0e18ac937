import { type DiffLine, diffLines, DiffView, ScrolledText } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { ScreenPane } from '../context/screen-pane.ts'
import type { ShownDifference } from '../context/ui-state.ts'
import { textPane } from './text-pane.tsx'

/** The id of the tab with the difference of two moments. */
export const DIFF = 'diff'

const NONE = { title: '' } as const

const HELP: readonly string[] = [
  'Nothing has changed yet.',
  'Two entries that you mark with d in the timeline are compared here.',
]

/** The last change, or the difference of two marked entries: tools, the next request, and the prompt. */
export const diffPane: ScreenPane = textPane<ShownDifference | typeof NONE>({
  id: DIFF,
  title: 'Diff',
  key: '8',
  cursorText: ({ ui }: PlaygroundContext) => ui.getState().difference ?? NONE,
  describedLines: (text, width) =>
    'tools' in text ? lineCache([text.document], `${width}`, () => diffLines(text, width)) : HELP,
  draw: (text, box) =>
    'tools' in text ? <DiffView {...box} {...text} /> : <ScrolledText {...box} lines={HELP} />,
})

const lineCache = identityMemo<readonly DiffLine[]>()
