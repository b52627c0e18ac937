import { Box } from 'ink'
import { activateSkill } from '../changes/activate-skill.ts'
import { changeDialog, closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import { withoutLastLetter } from '../text/text-field.ts'
import { Line } from '../../render/ink/parts/line.tsx'
import { type Lifetime, parseLifetime } from '../../skills/definition/lifetime.ts'

/** How long a skill shall stay equipped. */
export const lifetimeDialog: DialogKind<'lifetime'> = {
  kind: 'lifetime',
  title: ({ skill }) => `Equip ${skill} for how long?`,
  rows: 2,
  type: (context, typed) =>
    changeDialog(context, 'lifetime', ({ text }) => ({ text: text + typed })),
  actions: [
    {
      id: 'lifetime.equip',
      title: 'Equip it for so long',
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
      title: 'Delete the last letter',
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
            ? [
                {
                  text: 'Not a lifetime yet: "3" is three calls; or "3 turns", "idle 3 turns".',
                  tone: 'bad',
                },
              ]
            : [
                {
                  text: '"3" is three calls; or "3 turns", "idle 3 turns"; nothing: the session.',
                  dim: true,
                },
              ]
        }
      />
    </Box>
  ),
}

/**
 * A lifetime as it is typed: nothing for the session, a number for so many uses, else the words
 * that files know (`3 turns`, `idle 2 turns`, `once`); null for anything else.
 */
export function typedLifetime(text: string): Lifetime | null {
  const typed = text.trim()
  if (typed === '') return 'session'
  return /^[1-9]\d{0,8}$/u.test(typed) ? { uses: Number(typed) } : parseLifetime(typed)
}
