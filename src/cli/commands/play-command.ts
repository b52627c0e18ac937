import { refuseMissingEntry } from '../opening/choose-log.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { openSession } from '../opening/open-session.ts'
import { overview } from './overview.ts'
import { playOnTerminal } from './play-on-terminal.ts'
import { playOptions, type PlayOptions } from './play-options.ts'
import { printFrame } from './print-frame.ts'

/** `loadout play`, and `loadout` alone: the playground, or what it shows where there is no terminal. */
export const playCommand: CliCommand<PlayOptions> = {
  name: 'play',
  summary: 'open the playground on skills, tools and prompt (what "loadout" alone does)',
  description:
    'Open the playground on the nearest skills, or on the paths: equip skills and see which tools ' +
    'come, why others are not there, what the model reads and what it costs. What is done there is ' +
    'kept, so that --session goes on with it; a log that is named alone, or with --at or ' +
    '--read-only, is only looked at. Text is selected with Shift held, or with --no-mouse. Where the ' +
    'output is no terminal, the same is printed once, and nothing is kept.',
  arguments: '[paths...]',
  options: playOptions,
  examples: [
    'loadout examples/workbench --trust --agent assistant',
    'loadout play examples/workbench --session latest',
    'loadout play examples/workbench --snapshot text --columns 80 --rows 24',
  ],
  async run({ words, options, context }) {
    const { terminal } = context
    const { snapshot, at, ...others } = options
    if (options.json === true || (terminal === undefined && snapshot === undefined)) {
      return overview(await openSession(words, options, context), options, context)
    }
    // A session that is looked at is opened whole: `--at` is where the screen begins.
    const isLook = looks(options)
    const goesOn = options.log === undefined || options.session !== undefined
    const keeps = !isLook && goesOn && snapshot === undefined && at === undefined
    const session = await openSession(
      words,
      isLook ? others : options,
      context,
      keeps ? 'keep' : 'look',
      { follow: snapshot === undefined },
    )
    if (isLook && at !== undefined)
      refuseMissingEntry(at, session.workspace.state.seq, options.log ?? options.session)
    const moment = { live: !isLook, ...(isLook && at !== undefined && { at }) }
    if (snapshot !== undefined) await printFrame(session, snapshot, moment, options, context)
    else if (terminal !== undefined) {
      await playOnTerminal(session, terminal, moment, { words, options }, context)
    }
    return 0
  },
}

/** A session is gone on with when it is named as one; a log that is named alone is looked at. */
function looks({ log, session, at, activate, readOnly, snapshot }: PlayOptions): boolean {
  if (log === undefined && session === undefined) return false
  if (readOnly === true || activate !== undefined) return readOnly === true
  return session === undefined || at !== undefined || snapshot !== undefined
}
