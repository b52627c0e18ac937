import { refuseMissingEntry } from './choose-log.ts'
import type { CliCommand } from './cli-command.ts'
import { openSession } from './open-session.ts'
import { overview } from './overview.ts'
import { playOnTerminal } from './play-on-terminal.ts'
import { playOptions, type PlayOptions } from './play-options.ts'
import { printFrame } from './print-frame.ts'

/** `loadout play`, and `loadout` alone: the playground, or what it shows where there is no terminal. */
export const playCommand: CliCommand<PlayOptions> = {
  name: 'play',
  summary: 'open the playground on skills, tools and prompt (what "loadout" alone does)',
  description:
    'Open the playground on the nearest skills, on the paths, or on a recorded log: equip skills ' +
    'and see which tools come, why others are not there, what the model reads and what it costs. ' +
    'Text is selected with Shift held, or with --no-mouse. Where the output is no terminal, the ' +
    'same is printed once.',
  arguments: '[paths...]',
  options: playOptions,
  examples: [
    'loadout examples/workbench --trust --agent assistant',
    'loadout play examples/workbench --snapshot text --columns 80 --rows 24',
  ],
  async run({ words, options, context }) {
    const { terminal } = context
    const { snapshot, at, ...others } = options
    if (options.json === true || (terminal === undefined && snapshot === undefined)) {
      return overview(await openSession(words, options, context), options, context)
    }
    // A log that is looked at is opened whole: `--at` is where the screen begins.
    const isLook = options.log !== undefined && options.activate === undefined
    const session = await openSession(words, isLook ? others : options, context)
    if (isLook && at !== undefined) refuseMissingEntry(at, session.workspace.state.seq, options.log)
    const moment = { live: !isLook, ...(isLook && at !== undefined && { at }) }
    if (snapshot !== undefined) await printFrame(session, snapshot, moment, options, context)
    else if (terminal !== undefined) {
      await playOnTerminal(session, terminal, moment, options, context)
    }
    return 0
  },
}
