import type { PlaygroundContext } from '../context/playground-context.ts'
import { differenceOf, takeMoment } from '../changes/compare-moments.ts'

/** The marks after one more entry was marked: a marked one is let go, a third begins anew. */
export function nextMarks(marks: readonly number[], seq: number): readonly number[] {
  if (marks.length >= 2) return [seq]
  return marks.includes(seq) ? marks.filter((one) => one !== seq) : [...marks, seq]
}

/** Mark an entry; the second mark shows how the two moments differ, the earlier one first. */
export async function markEntry(context: PlaygroundContext, seq: number): Promise<void> {
  const { ui, counter } = context
  const marks = nextMarks(ui.getState().marks, seq)
  ui.setState({ marks })
  if (marks.length < 2) return
  const [first, second] = [Math.min(...marks), Math.max(...marks)]
  const [before, after] = await Promise.all([context.look(first), context.look(second)])
  // Esc, or another mark, came first.
  if (ui.getState().marks !== marks) return
  const difference = differenceOf(takeMoment(before), takeMoment(after), counter)
  const title = `From #${first} to #${second}`
  ui.setState({
    dialog: { kind: 'difference', title, ...difference, scroll: 0 },
  })
}
