import { relative, resolve } from 'node:path'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonOption } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { paint } from '../shell/paint.ts'
import { shellWord } from '../shell/shell-word.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface InitOptions {
  readonly json?: true
}

/** `loadout init`: a skill that works, to change into one's own. */
export const initCommand: CliCommand<InitOptions> = {
  name: 'init',
  summary: 'write a skill that works, with a tool, an agent and a scenario',
  description:
    'Write a skill with a tool, its reference file, an agent, a scenario and loadout.config.ts into ' +
    'a folder, the current one by default, to be changed into your own. Nothing is overwritten: ' +
    'when one of the files is there already, none is written.',
  arguments: '[folder]',
  options: () => [jsonOption()],
  examples: ['loadout init my-agent'],
  async run({ words: [folder = '.'], options, context }) {
    if (folder === '') throw wrongUsage('The folder has no name.', 'Leave it out for this one.')
    const { initProject } = await import('../../project/init/init-project.ts')
    const { STARTER } = await import('../../project/init/starter-files.ts')
    const root = resolve(context.cwd, folder)
    const { files, remark } = await initProject(root)
    const where = relative(context.cwd, root)
    const at = where === '' ? '' : ` ${shellWord(where)}`
    const next = [
      `loadout lint${at} --trust --level native`,
      `loadout tools${at} --trust --activate ${STARTER.skill}`,
      `loadout call ${STARTER.tool}${at} --trust --activate ${STARTER.skill} --args-json '{"text":"Short is good."}'`,
      `loadout prompt${at} --trust --agent ${STARTER.agent}`,
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
      '\n--trust runs the code of the folder for one command; "loadout trust" keeps that in mind.',
    )
    return 0
  },
}
