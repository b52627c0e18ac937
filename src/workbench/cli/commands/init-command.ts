import { relative, resolve } from 'node:path'
import { sanitiseLine, shellWord } from '../../../entries/kit.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonOption } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** `loadout init`: create a working skill to start from. */
export const initCommand: CliCommand<{ readonly json?: true }> = {
  name: 'init',
  summary: 'Create a working skill with a tool, an agent and a scenario',
  description:
    'Create a skill with a tool and a reference file, an agent, a scenario and loadout.config.ts, as a ' +
    'starting point for your own. They are written into the current folder, or into the given one. If ' +
    'one of the files exists already, nothing is written.',
  arguments: '[folder]',
  options: () => [jsonOption()],
  examples: ['loadout init my-agent'],
  async run({ words: [folder = '.'], options, context }) {
    if (folder === '')
      throw wrongUsage(
        'The name of the folder is empty.',
        'Leave it out to use the current folder.',
      )
    const { initProject } = await import('../../project/init/init-project.ts')
    const { STARTER } = await import('../../project/init/starter-files.ts')
    const root = resolve(context.cwd, folder)
    const { files, remark } = await initProject(root)
    const where = relative(context.cwd, root)
    const at = where === '' ? '' : ` ${shellWord(where)}`
    const next = [
      `loadout lint${at} --trust --level native`,
      `loadout test${at} --trust`,
      `loadout call ${STARTER.tool}${at} --trust --activate ${STARTER.skill} --args-json '{"text":"Short is good."}'`,
      `loadout run${at} --trust --agent ${STARTER.agent}`,
      `loadout play${at} --trust --agent ${STARTER.agent}`,
    ]
    if (options.json === true) {
      context.stdout.write(jsonText({ folder: root, files, remark, next }))
      return 0
    }
    const say = (line: string) => context.stdout.write(`${line}\n`)
    for (const file of files) {
      say(`${paint('+', 'green', context)} ${sanitiseLine(relative(context.cwd, file))}`)
    }
    if (remark !== null) context.stderr.write(`loadout: ${remark}\n`)
    say('\nTry it:')
    for (const line of next) say(`  ${sanitiseLine(line)}`)
    say(
      `\n--trust runs the code of the folder for one command. "loadout trust ${sanitiseLine(shellWord(relative(context.cwd, root) || '.'))}" trusts it until a file changes.`,
    )
    return 0
  },
}
