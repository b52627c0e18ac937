import { Box } from 'ink'
import { activateSkill } from '../changes/activate-skill.ts'
import { changeDialog, closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import { withoutLastLetter } from '../text/text-field.ts'
import { Line } from '../../render/ink/parts/line.tsx'
import { type Lifetime, parseLifetime } from '../../skills/definition/lifetime.ts'

/** Asks for the lifetime of an activation. */
export const lifetimeDialog: DialogKind<'lifetime'> = {
  kind: 'lifetime',
  title: ({ skill }) => `Activate ${skill} for how long?`,
  rows: 2,
  type: (context, typed) =>
    changeDialog(context, 'lifetime', ({ text }) => ({ text: text + typed })),
  actions: [
    {
      id: 'lifetime.activate',
      title: 'Activate',
      keys: ['enter'],
      run(context) {
        const dialog = currentDialog(context, 'lifetime')
        const lifetime = dialog && typedLifetime(dialog.text)
        if (dialog === null || lifetime === null) return
        closeDialog(context)
        return activateSkill(context, dialog.skill, { lifetime })
      },
    },
    {
      id: 'lifetime.delete',
      title: 'Delete the last character',
      keys: ['backspace', 'delete'],
      run: (context) =>
        changeDialog(context, 'lifetime', ({ text }) => ({ text: withoutLastLetter(text) })),
    },
  ],
  View: ({ dialog, width, theme }) => (
    <Box flexDirection="column" flexShrink={0}>
      <Line theme={theme} width={width} spans={[{ text: `Lifetime: ${dialog.text}_` }]} />
      <Line
        theme={theme}
        width={width}
        spans={
          typedLifetime(dialog.text) === null
            ? [{ text: `Not a lifetime. ${EXAMPLES}`, tone: 'bad' }]
            : [{ text: `${EXAMPLES} Empty: the session.`, dim: true }]
        }
      />
    </Box>
  ),
}

const EXAMPLES = 'Examples: "3" (three uses), "3 turns", "idle 3 turns".'

/**
 * Parses a typed lifetime: empty for the session, a number of uses, or the words that skill files use
 * (`3 turns`, `idle 2 turns`, `once`); null for anything else.
 */
export function typedLifetime(text: string): Lifetime | null {
  const typed = text.trim()
  if (typed === '') return 'session'
  return /^[1-9]\d{0,8}$/u.test(typed) ? { uses: Number(typed) } : parseLifetime(typed)
}
