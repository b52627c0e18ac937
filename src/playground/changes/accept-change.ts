import { note } from '../context/banner.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { differenceOf, takeMoment } from './compare-moments.ts'
import { differenceReport } from './change-report.ts'
import { whyNoChange } from './change-session.ts'

/** Take what changed on disk, of one skill or all of it, and show what that came to. */
export async function acceptChange(
  context: PlaygroundContext,
  skill: string | null,
): Promise<void> {
  const { ui, counter } = context
  const why = whyNoChange(context)
  if (why !== null) return ui.setState({ banner: note('note', why) })
  const { changes } = ui.getState()
  const isChanged = changes.some((one) => skill === null || one.skill === skill)
  if (!isChanged) {
    const what = skill === null ? 'Nothing' : `"${skill}" is as it was: nothing`
    return ui.setState({ banner: note('note', `${what} changed on disk.`) })
  }
  ui.setState({ busy: `accepting ${skill ?? 'every change'}` })
  const before = takeMoment(context.workspace())
  await context.accept(skill)
  const difference = differenceOf(before, takeMoment(context.workspace()), counter)
  const done = `${skill ?? 'every change'} is accepted`
  ui.setState({ banner: differenceReport('done', done, difference) })
}
