import type { StyledFrame } from '../../playground/snapshot/styled-frame.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { OpenSession } from '../opening/open-session.ts'
import type { PlayOptions, SnapshotForm } from './play-options.ts'

/** Size of a frame when none is asked for: what most windows have room for. */
const FRAME = { columns: 120, rows: 36 }

/** Print one frame of the playground, as it would be on a terminal of that size. */
export async function printFrame(
  { workspace, counter }: OpenSession,
  form: SnapshotForm,
  moment: { readonly live: boolean; readonly at?: number },
  { ascii, columns = FRAME.columns, rows = FRAME.rows, keys = [] }: PlayOptions,
  { stdout }: CliContext,
): Promise<void> {
  const { loadPlayground } = await import('../../playground/load-playground.ts')
  const { takeFrame } = await loadPlayground(form === 'text' ? 'none' : 'all')
  const theme = { ascii: ascii === true, colour: form !== 'text' }
  const strokes = keys
  const frame = await takeFrame({ ...moment, workspace, counter, columns, rows, theme, strokes })
  stdout.write(await written(form, frame))
}

async function written(form: SnapshotForm, frame: StyledFrame): Promise<string> {
  const title = 'Loadout, the playground'
  switch (form) {
    case 'text':
      return (await import('../../playground/snapshot/write-text.ts')).writeText(frame)
    case 'html':
      return (await import('../../playground/snapshot/write-html.ts')).writeHtml(frame, title)
    case 'svg':
      return (await import('../../playground/snapshot/write-svg.ts')).writeSvg(frame, title)
  }
}
