import { type DiffLine, diffLines, DiffView, ScrolledText } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { ScreenPane } from '../context/screen-pane.ts'
import type { ShownDifference } from '../context/ui-state.ts'
import { SearchedText, textColumns, textPane } from './text-pane.tsx'

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
  plainLines,
  draw(text, box) {
    if (!('tools' in text)) return <ScrolledText {...box} lines={HELP} />
    if (box.search === '') return <DiffView {...box} {...text} />
    return <SearchedText {...box} lines={plainLines(text, textColumns(box.width, box.search))} />
  },
})

/** Columns of lines that are copied. */
const WIDE = 400

function plainLines(text: ShownDifference | typeof NONE, width: number | null): readonly string[] {
  if (!('tools' in text)) return HELP
  const columns = width ?? WIDE
  return plainCache([text.document], `${columns}`, () =>
    diffLines(text, columns).map((line) => line.text),
  )
}

const plainCache = identityMemo<readonly string[]>()

const lineCache = identityMemo<readonly DiffLine[]>()
