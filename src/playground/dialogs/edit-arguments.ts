import { changeDialog, currentDialog } from '../context/current-dialog.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'

/** Edit the arguments of the open dialog in `$EDITOR`, spread over lines as far as they are JSON. */
export async function editArguments(context: PlaygroundContext): Promise<void> {
  const dialog = currentDialog(context, 'call')
  if (dialog === null) return
  const edited = await context.edit(`${written(dialog.text, 2)}\n`, '.json')
  changeDialog(context, 'call', () => {
    if (edited === null) return { problem: 'The editor gave nothing back. Is $EDITOR set?' }
    const text = written(edited, 0)
    return { text, cursor: text.length, problem: '' }
  })
}

/** JSON written anew; what is none stays, on one line. */
function written(text: string, indent: 0 | 2): string {
  try {
    return JSON.stringify(JSON.parse(text), null, indent)
  } catch {
    return indent === 0 ? onOneLine(text) : text
  }
}

function onOneLine(text: string): string {
  const lines = text.split(/[\r\n]/v).map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
