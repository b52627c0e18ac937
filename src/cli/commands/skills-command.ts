import type { CliCommand } from '../shell/cli-command.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { openSession } from '../opening/open-session.ts'
import { skillReports } from './skill-report.ts'
import { writeSkillTable } from './skill-table.ts'

/** `loadout skills`: every skill that was found, those that could not be loaded too. */
export const skillsCommand: CliCommand<CommonOptions> = {
  name: 'skills',
  summary: 'list every skill: its status, its tools and its price',
  description:
    'List every skill that was found. TOKENS is what its instructions add to the prompt. A SKILL.md that could not be loaded is listed as broken; of two skills of one name the second is listed as shadowed.',
  arguments: '[paths...]',
  options: commonOptions,
  examples: ['loadout skills examples/workbench --json'],
  async run({ words, options, context }) {
    const skills = skillReports(await openSession(words, options, context))
    if (options.json) context.stdout.write(jsonText(skills))
    else writeSkillTable(skills, context)
    return 0
  },
}
