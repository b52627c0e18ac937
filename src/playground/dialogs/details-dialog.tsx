import type { ReactElement } from 'react'
import { closeDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import type { DialogOf } from '../context/ui-state.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { wrappedText } from '../../render/ink/parts/fit-text.ts'
import type { Theme } from '../../render/ink/parts/theme.ts'
import { ScrolledText } from '../../render/ink/parts/windowed-rows.tsx'
import { type DiffLine, DiffView, diffViewLines } from '../../render/ink/views/diff-view.tsx'
import { envelopeLines, EnvelopeView } from '../../render/ink/views/envelope-view.tsx'

/** The details of one row. */
export const detailsDialog = readDialog('details', {
  title: ({ title }) => title,
  linesOf: detailsLines,
  draw: (dialog, box) => <ScrolledText {...box} lines={detailsLines(dialog, box.width)} />,
})

function detailsLines({ lines }: DialogOf<'details'>, width: number): readonly string[] {
  return wrappedText(lines.join('\n'), width)
}

const differenceCache = identityMemo<readonly DiffLine[]>()

/** The difference between two marked moments: tools, tokens, kept prefix, and the prompt line by line. */
export const differenceDialog = readDialog('difference', {
  title: ({ title }) => title,
  closeKeys: ['d'],
  linesOf: ({ tools, document }, width) =>
    differenceCache([document], `${width}`, () => diffViewLines(tools, document, width)),
  draw: ({ tools, document }, box) => <DiffView {...box} {...{ tools, document }} />,
})

const answerCache = identityMemo<readonly string[]>()

/** The response of a call. */
export const answerDialog = readDialog('answer', {
  title: ({ tool, response }) => `${tool} ${response.ok ? 'succeeded' : 'failed'}`,
  linesOf: ({ response }, width) =>
    answerCache([response], `${width}`, () => envelopeLines(response, width)),
  draw: ({ response }, box) => <EnvelopeView {...box} response={response} />,
})

/** The box that a text is drawn in, and its first line. */
interface TextBox {
  readonly width: number
  readonly height: number
  readonly scroll: number
  readonly theme: Theme
}

type Readable = 'details' | 'difference' | 'answer'

interface ReadDialogOptions<Kind extends Readable> {
  title(dialog: DialogOf<Kind>): string
  /** Keys that close it, in addition to `q` and Enter. */
  readonly closeKeys?: readonly string[]
  /** Returns the lines that scroll keys move over. */
  linesOf(dialog: DialogOf<Kind>, width: number): readonly unknown[]
  draw(dialog: DialogOf<Kind>, box: TextBox): ReactElement
}

/** Creates a dialog with a text to read, which can be scrolled and closed. */
function readDialog<Kind extends Readable>(
  kind: Kind,
  { title, closeKeys = [], linesOf, draw }: ReadDialogOptions<Kind>,
): DialogKind<Kind> {
  return {
    kind,
    title,
    actions: [
      { id: `${kind}.close`, title: 'Close', keys: ['q', 'enter', ...closeKeys], run: closeDialog },
      ...scrollActions(kind, linesOf),
    ],
    View({ dialog, context, width, height, theme }) {
      rememberDrawnSize(context, kind, { width, height })
      const { scroll = 0 }: { readonly scroll?: number } = dialog
      return draw(dialog, { width, height, theme, scroll })
    },
  }
}
