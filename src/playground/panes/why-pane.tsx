import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Description, ScreenPane } from '../context/screen-pane.ts'
import { textPane } from './text-pane.tsx'
import { WHY } from './why-tab.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { wrappedText } from '../../render/ink/parts/fit-text.ts'
import { ScrolledText } from '../../render/ink/parts/windowed-rows.tsx'

const NOTHING: Description = { title: '', lines: ['Nothing is selected.'] }

/** Creates the tab that describes the row under the cursor of a list: its status, the reasons, its definition. */
export function whyPane(lists: readonly ScreenPane[]): ScreenPane {
  const textOf = (context: PlaygroundContext) => {
    const { list } = context.ui.getState()
    return lists.find(({ id }) => id === list)?.about?.(context) ?? NOTHING
  }
  return textPane<Description>({
    id: WHY,
    title: 'Why',
    key: '6',
    textOf,
    linesOf,
    draw: (text, box) => <ScrolledText {...box} lines={linesOf(text, box.width)} />,
  })
}

const lineCache = identityMemo<readonly string[]>()

function linesOf({ lines }: Description, width: number): readonly string[] {
  return lineCache([lines], `${width}`, () => wrappedText(lines.join('\n'), width))
}
