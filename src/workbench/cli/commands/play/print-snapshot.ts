import type { TextSource } from '../../../playground/context/kept-texts.ts'
import type { ObserveNames } from '../../../playground/context/shown-history.ts'
import { isOnLight } from '../../../report/writers/paint.ts'
import type { OpenSession } from '../../opening/open-session.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { knownSecrets } from '../../shell/known-secrets.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

/** The formats of a snapshot: a frame of the screen as text or SVG, or the session as a page. */
export type SnapshotForm = 'svg' | 'html' | 'text'

/** The options of a frame. A page has none. */
export interface FrameOptions {
  readonly ascii?: true
  readonly columns?: number
  readonly rows?: number
  /** Keys to press first. */
  readonly keys?: readonly string[]
}

/** The moment that a snapshot shows. */
interface SnapshotMoment {
  readonly live: boolean
  readonly at?: number
}

/** Default size of a frame, which fits most windows. */
const FRAME = { columns: 120, rows: 36 }

/** Prints a frame of the playground, as on a terminal of that size, or a page of the session. */
export async function printSnapshot(
  session: OpenSession,
  form: SnapshotForm,
  moment: SnapshotMoment,
  options: FrameOptions & { readonly log?: string },
  context: CliContext,
): Promise<void> {
  const { stdout, home, env } = context
  if (form !== 'html') {
    const { textSource } = await import('../../opening/chat-opener.ts')
    const kept = textSource(session, options.log, context)
    const folders = session.fromLog ? undefined : session
    const shown = { ...moment, observe: observeNames(home), kept, folders }
    stdout.write(await frameText(session, form, shown, { ...options, light: isOnLight(env) }))
    return
  }
  const { ascii, columns, rows, keys } = options
  if ([ascii, columns, rows, keys].some((one) => one !== undefined)) {
    throw wrongUsage(
      'A page has no size and no keys.',
      'Leave out --columns, --rows, --keys and --ascii, or use --snapshot svg.',
    )
  }
  const [{ createPageReader }, { writePage }] = await Promise.all([
    import('../../../playground/page/create-page-reader.ts'),
    import('../../../playground/page/write-page.ts'),
  ])
  const { workspace, counter } = session
  const read = createPageReader({ workspace, counter, home, ...moment })
  stdout.write(writePage(await read(), null))
}

async function frameText(
  { workspace, counter }: OpenSession,
  form: Exclude<SnapshotForm, 'html'>,
  moment: SnapshotMoment & {
    readonly observe: ObserveNames
    readonly kept: TextSource
    readonly folders: OpenSession | undefined
  },
  options: FrameOptions & { readonly light: boolean },
): Promise<string> {
  const { ascii, columns = FRAME.columns, rows = FRAME.rows, keys = [], light } = options
  const { loadPlayground } = await import('../../../playground/load-playground.ts')
  const { takeFrame } = await loadPlayground(form === 'text' ? 'none' : 'all')
  const theme = { ascii: ascii === true, colour: form !== 'text', light }
  const size = { columns, rows }
  const frame = await takeFrame({ ...moment, ...size, workspace, counter, theme, strokes: keys })
  const { writeSvg, writeText } = await import('../../../playground/snapshot/write-svg.ts')
  return form === 'text' ? writeText(frame) : writeSvg(frame, 'Loadout, the playground', light)
}

/** Serves the session as a page on this machine, until an interrupt. */
export async function serveSession(
  { workspace, counter, options }: OpenSession,
  moment: SnapshotMoment,
  { stdout, env, home, onInterrupt }: CliContext,
): Promise<void> {
  const { servePage } = await import('../../../playground/page/serve-page.ts')
  const redactor = knownSecrets(env)
  const server = await servePage({ workspace, counter, redactor, home, ...moment })
  const news =
    options.follow === true
      ? 'New entries appear.'
      : 'New entries of other processes do not appear.'
  stdout.write(`${server.url}\nRead-only, for browsers of this machine. ${news} Ctrl-C ends it.\n`)
  await new Promise<void>((done) => onInterrupt(done))
  await server.close()
  await workspace.close()
}

/** Returns the function that reads outcomes in a session of another agent. Its code is loaded when it is called. */
export function observeNames(home: string | null): ObserveNames {
  return async (entries) => {
    const { observedNames } = await import('../../../report/facts/observed-names.ts')
    return observedNames(entries, home)
  }
}
