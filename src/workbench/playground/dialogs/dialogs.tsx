import { Box } from 'ink'
import type { Lifetime } from '../../../entries/index.ts'
import {
  envelopeLines,
  EnvelopeView,
  KeyHelp,
  type KeyHelpGroup,
  Line,
} from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { parseLifetime } from '../../../entries/definitions.ts'
import { activateSkill } from '../changes/activate-skill.ts'
import { repeatCall } from '../changes/make-call.ts'
import { changeDialog, closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { AnyDialogKind, DialogKind, KeyScope, KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { callDialog } from './call-dialog.tsx'
import { consentDialog } from './consent-dialog.tsx'
import { testsDialog } from './tests-dialog.tsx'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import type { DialogOf } from '../context/ui-state.ts'
import { keyName } from '../keys/key-name.ts'
import { matchesFilter } from '../rows/row-filter.ts'
import { withoutLastLetter } from '../text/text-field.ts'

/** Lists every key, starting with those of the focused pane; `/` looks for one. Reads the table that handlers use. */
export function helpDialog(table: () => KeyTable): DialogKind<'help'> {
  const readGroups = ({ ui }: PlaygroundContext, { text }: Pick<DialogOf<'help'>, 'text'>) =>
    helpGroups(table().scopes, ui.getState().focus, text ?? '')
  const write = (context: PlaygroundContext, to: (text: string) => string | null) =>
    changeDialog(context, 'help', ({ text }) => ({ text: to(text ?? ''), scroll: 0 }))
  return {
    kind: 'help',
    title: () => 'Help',
    type: (context, typed) => write(context, (text) => text + typed),
    isTyping: ({ text }) => text !== null,
    actions: [
      { id: 'help.close', title: 'Close help', keys: ['?', 'enter'], run: closeDialog },
      { id: 'help.find', title: 'Find a key', keys: ['/'], run: (one) => write(one, () => '') },
      {
        id: 'help.all',
        title: 'All keys',
        keys: ['esc'],
        when: (context) => (currentDialog(context, 'help')?.text ?? null) !== null,
        run: (context) => write(context, () => null),
      },
      {
        id: 'help.delete',
        title: 'Delete the last character',
        keys: ['backspace', 'delete'],
        run: (context) => write(context, withoutLastLetter),
      },
      ...scrollActions('help', (dialog, _width, context) =>
        readGroups(context, dialog).flatMap(({ rows }) => [null, ...rows]),
      ),
    ],
    View({ dialog, context, width, height, theme }) {
      const { text, scroll } = dialog
      const box = { width, height: text === null ? height : height - 1 }
      rememberDrawnSize(context, 'help', box)
      const groups = readGroups(context, dialog)
      const none = groups.length === 0 ? '  No key matches.' : ''
      return (
        <Box flexDirection="column" flexShrink={0}>
          {text !== null && <Line {...{ theme, width }} spans={[{ text: `/ ${text}_${none}` }]} />}
          <KeyHelp {...box} {...{ groups, scroll, theme }} />
        </Box>
      )
    },
  }
}

/** Groups all keys by scope, those that contain the words of a filter; the scope of this pane comes first. */
export function helpGroups(
  scopes: readonly KeyScope[],
  pane: string,
  filter = '',
): readonly KeyHelpGroup[] {
  const own = scopes.filter(({ id }) => id === pane)
  const others = scopes.filter(({ id }) => id !== pane)
  return [...own, ...others]
    .map(({ title: group, actions }) => ({
      title: group,
      rows: actions
        .map(({ keys, title }) => ({ keys: keys.map(keyName), title }))
        .filter(({ keys, title }) => matchesFilter(filter, [group, title, ...keys])),
    }))
    .filter(({ rows }) => rows.length > 0)
}

/** Asks before leaving while something is pending. */
const quitDialog: DialogKind<'quit'> = {
  kind: 'quit',
  title: () => 'Quit?',
  rows: 2,
  actions: [
    {
      id: 'quit.yes',
      title: 'Quit anyway',
      keys: ['y', 'q', 'enter'],
      run: (context) => context.exit(),
    },
    { id: 'quit.no', title: 'Stay', keys: ['n', 'esc'], run: closeDialog },
  ],
  View: ({ dialog, width, theme }) => (
    <Box flexDirection="column" flexShrink={0}>
      <Line theme={theme} width={width} spans={[{ text: dialog.why }]} />
      <Line theme={theme} width={width} spans={[{ text: 'y quits anyway, n stays' }]} />
    </Box>
  ),
}

/** Asks for the lifetime of an activation. */
const lifetimeDialog: DialogKind<'lifetime'> = {
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

const answerCache = identityMemo<readonly string[]>()

/** The response of a call. */
const answerDialog: DialogKind<'answer'> = {
  kind: 'answer',
  title: ({ tool, response }) => `${tool} ${response.ok ? 'succeeded' : 'failed'}`,
  isBesideLists: true,
  actions: [
    { id: 'answer.close', title: 'Close', keys: ['enter'], run: closeDialog },
    { id: 'answer.repeat', title: 'Repeat the call', keys: ['.'], run: repeatCall },
    ...scrollActions('answer', ({ response }, width) =>
      answerCache([response], `${width}`, () => envelopeLines(response, width)),
    ),
  ],
  View({ dialog, context, width, height, theme }) {
    rememberDrawnSize(context, 'answer', { width, height })
    const { response, scroll } = dialog
    return <EnvelopeView {...{ response, width, height, scroll, theme }} />
  },
}

/** The dialogs of the playground, except help and palette, which need the table of keys. */
export const DIALOGS: readonly AnyDialogKind[] = [
  quitDialog,
  lifetimeDialog,
  consentDialog,
  callDialog,
  answerDialog,
  testsDialog,
]
