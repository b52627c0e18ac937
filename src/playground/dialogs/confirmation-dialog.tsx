import { Box } from 'ink'
import { describeQuestion } from '../../engine/explain/describe-question.ts'
import type { KeptArguments } from '../../engine/model/consent-event.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { screenQueue, whyNoChange } from '../changes/change-session.ts'
import { closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import { openConfirmations } from '../context/open-confirmations.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import { type DialogOf, note } from '../context/ui-state.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import { jsonLines } from '../text/text-lines.ts'
import { formatCount } from '../../render/ink/parts/format-count.ts'
import { wrappedText } from '../../render/ink/parts/fit-text.ts'
import { Line } from '../../render/ink/parts/line.tsx'
import { ScrolledText } from '../../render/ink/parts/windowed-rows.tsx'

/** The keys and the heading above the arguments. */
const HEAD_ROWS = 2

/** Shows a confirmation of the session with the arguments that its host kept, and answers it. */
export const confirmationDialog: DialogKind<'confirmation'> = {
  kind: 'confirmation',
  title: ({ asked: { tool, child } }) =>
    child === undefined
      ? `Approve the call of ${tool}?`
      : `Approve the call of ${tool} in ${child}?`,
  actions: [
    {
      id: 'confirmation.approve',
      title: 'Approve',
      keys: ['y'],
      when: canAnswer,
      run: approveShown,
    },
    { id: 'confirmation.deny', title: 'Deny', keys: ['n'], when: canAnswer, run: denyShown },
    {
      id: 'confirmation.next',
      title: 'Next confirmation',
      keys: ['tab'],
      when: (context) => openConfirmations(context.workspace().state).length > 1,
      run: showNextConfirmation,
    },
    ...scrollActions('confirmation', askedLines),
  ],
  View({ dialog, context, width, height, theme }) {
    const room = Math.max(0, height - HEAD_ROWS)
    rememberDrawnSize(context, 'confirmation', { width, height: room })
    const keys = keysText(dialog, context)
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Line theme={theme} width={width} spans={[{ text: keys, bold: true, tone: 'warning' }]} />
        <Line theme={theme} width={width} spans={[{ text: headingOf(dialog), dim: true }]} />
        <ScrolledText
          lines={askedLines(dialog, width)}
          scroll={dialog.scroll}
          width={width}
          height={room}
          theme={theme}
        />
      </Box>
    )
  },
}

/** Shown when nobody can answer on this screen. */
const READ_ONLY = 'Read-only. Answer in the host, or open the session with its agent folder.'

function canAnswer(context: PlaygroundContext): boolean {
  return whyNoChange(context) === null
}

function keysText({ asked }: DialogOf<'confirmation'>, context: PlaygroundContext): string {
  const open = openConfirmations(context.workspace().state)
  if (open.every(({ id }) => id !== asked.id)) return 'Answered or expired. Esc closes.'
  if (!context.live) return READ_ONLY
  return whyNoChange(context) ?? 'y approves, n denies, Esc decides later.'
}

function headingOf({ asked }: DialogOf<'confirmation'>): string {
  return describeQuestion(asked) === '' ? 'Arguments' : 'Question'
}

function askedLines({ asked }: DialogOf<'confirmation'>, width: number): readonly string[] {
  const about = describeQuestion(asked)
  if (about === '') return argumentLines(asked, width)
  return [...wrappedText(about, width), '', 'Arguments', ...argumentLines(asked, width)]
}

function argumentLines(
  { arguments: kept, omittedBytes }: KeptArguments,
  width: number,
): readonly string[] {
  if (kept !== undefined) return wrappedText(jsonLines(kept).join('\n'), width)
  const text =
    omittedBytes === undefined
      ? 'The host did not keep the arguments.'
      : `The arguments were too long to keep: ${formatCount(omittedBytes)} bytes.`
  return wrappedText(text, width)
}

/** Shows the confirmation after the one in the dialog; after the last one, the first. */
function showNextConfirmation(context: PlaygroundContext): void {
  const dialog = currentDialog(context, 'confirmation')
  const open = openConfirmations(context.workspace().state)
  const place = open.findIndex(({ id }) => id === dialog?.asked.id)
  const asked = open[place + 1] ?? open[0]
  if (dialog !== null && asked !== undefined) {
    context.ui.setState({ dialog: { ...dialog, asked, scroll: 0 } })
  }
}

/** Approves the call that the dialog shows. It runs when its caller makes it again. */
function approveShown(context: PlaygroundContext): Promise<void> {
  return answerShown(context, 'approve')
}

/** Denies the call that the dialog shows, for the rest of the turn. */
function denyShown(context: PlaygroundContext): Promise<void> {
  return answerShown(context, 'deny')
}

async function answerShown(context: PlaygroundContext, answer: 'approve' | 'deny'): Promise<void> {
  const { ui } = context
  const dialog = currentDialog(context, 'confirmation')
  if (dialog === null) return
  closeDialog(context)
  const { id } = dialog.asked
  const outcome = await screenQueue(ui)(() => context.workspace()[answer](id, { by: 'user' }))
  const text = outcome.ok ? doneText(dialog, answer) : outcome.message
  ui.setState({ banner: note(outcome.ok ? 'done' : 'refused', sanitiseLine(text)) })
}

function doneText({ asked }: DialogOf<'confirmation'>, answer: 'approve' | 'deny'): string {
  return answer === 'approve'
    ? `The call of ${asked.tool} was approved: it runs when its caller repeats it`
    : `The call of ${asked.tool} was denied`
}
