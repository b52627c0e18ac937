import { isDeepStrictEqual } from 'node:util'
import { Line, WindowedRows } from '../../../entries/ink-views.ts'
import { identityMemo, wrapLines } from '../../../entries/kit.ts'
import { activateAgreed } from '../changes/activate-skill.ts'
import { askConsent, untrustedSkills } from '../changes/ask-consent.ts'
import { approveCall } from '../changes/make-call.ts'
import { closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import { type DialogOf, note } from '../context/ui-state.ts'
import { scrollActions } from '../keys/scroll-actions.ts'

/** Asks before a skill of a folder that is not trusted is activated: its source, what it brings, and what is odd. */
export const consentDialog: DialogKind<'consent'> = {
  kind: 'consent',
  title: ({ skill, agreed }) =>
    agreed.kind === 'nothing'
      ? `Trust the folder of ${skill}?`
      : `Activate ${skill}? Its folder is not trusted`,
  isBesideLists: true,
  actions: [
    {
      id: 'consent.once',
      title: 'Activate it once, without its code',
      keys: ['y'],
      when: (context) => currentDialog(context, 'consent')?.agreed.kind !== 'nothing',
      async run(context) {
        const dialog = currentDialog(context, 'consent')
        closeDialog(context)
        if (dialog !== null && !(await asksAgain(context, dialog))) await goOn(context, dialog)
      },
    },
    {
      id: 'consent.trust',
      title: 'Trust the folder',
      keys: ['t'],
      when: (context) => currentDialog(context, 'consent')?.untrusted.every(isReadable) === true,
      run: trustAndActivate,
    },
    { id: 'consent.no', title: 'Change nothing', keys: ['n', 'esc'], run: closeDialog },
    ...scrollActions('consent', consentLines),
  ],
  View({ dialog, context, width, height, theme }) {
    rememberDrawnSize(context, 'consent', { width, height })
    const lines = consentLines(dialog, width)
    const renderRow = (at: number) => (
      <Line theme={theme} width={width} spans={[{ text: lines[at] || ' ' }]} />
    )
    return (
      <WindowedRows
        {...{ width, height, theme, renderRow }}
        scroll={dialog.scroll}
        count={lines.length}
        selected={-1}
      />
    )
  },
}

function isReadable({ read }: DialogOf<'consent'>['untrusted'][number]): boolean {
  return read !== null
}

async function trustAndActivate(context: PlaygroundContext): Promise<void> {
  const dialog = currentDialog(context, 'consent')
  if (dialog === null) return
  closeDialog(context)
  if (await asksAgain(context, dialog)) return
  await context.consent?.trust(dialog.untrusted)
  await goOn(context, dialog)
}

/** Asks again if what would be activated changed while the person read about it. Returns false when nothing is asked. */
async function asksAgain(
  context: PlaygroundContext,
  { skill, untrusted, agreed }: DialogOf<'consent'>,
): Promise<boolean> {
  const now = await untrustedSkills(context, skill, agreed)
  if (isDeepStrictEqual(now, untrusted) || !(await askConsent(context, skill, agreed))) return false
  context.ui.setState({ banner: note('note', `${skill} changed while you read about it.`) })
  return true
}

function goOn(
  context: PlaygroundContext,
  { skill, agreed }: DialogOf<'consent'>,
): Promise<void> | void {
  switch (agreed.kind) {
    case 'activate':
      return activateAgreed(context, skill, agreed)
    case 'approve':
      return approveCall(context, agreed.question, 'call')
    case 'nothing':
      return context.ui.setState({ banner: note('done', `The folder of ${skill} is trusted`) })
  }
}

const cache = identityMemo<readonly string[]>()

function consentLines(
  { untrusted, agreed }: DialogOf<'consent'>,
  width: number,
): readonly string[] {
  return cache([untrusted], `${width}`, () =>
    [
      ...(agreed.kind === 'nothing' ? [] : [ONCE]),
      ...(untrusted.every(isReadable) ? [TRUST] : []),
      'n changes nothing.',
      ...untrusted.flatMap(({ lines }) => ['', ...lines]),
    ].flatMap((line) => (line === '' ? [''] : wrapLines(line, Math.max(1, width), HANG))),
  )
}

/** Columns by which the rest of a long line is indented: no text of a skill begins where another line would. */
const HANG = 4

const ONCE = 'y activates it this time; its code does not run.'
const TRUST = 't trusts the folder: its code may run until one of its files changes.'
