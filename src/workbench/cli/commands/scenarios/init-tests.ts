import { access } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { stringify } from 'yaml'
import { sanitiseLine } from '../../../../entries/kit.ts'
import { SCHEMA } from './print-scenario.ts'
import { openScenarioHost } from './test-paths.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import type { ReadingOptions } from '../../shell/opening-options.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { paint } from '../../../report/writers/paint.ts'
import { firstScenario } from '../../../project/scenarios/first-scenario.ts'
import { createFiles } from '../../../project/walk/create-files.ts'

/**
 * Writes a first scenario for each skill of the folders into `scenarios`. A file that exists stays. Returns 1 when a scenario
 * does not hold.
 */
export async function initTests(
  folders: readonly string[],
  options: ReadingOptions,
  context: CliContext,
): Promise<0 | 1> {
  const written: {
    readonly file: string
    readonly skill: string
    readonly problems: readonly string[]
  }[] = []
  for (const folder of folders) {
    const host = await openScenarioHost(folder, options, context)
    const files = new Map<string, string>()
    for (const skill of host.catalog.skills.values()) {
      const path = `scenarios/${skill.name}.scenario.yaml`
      const exists = await access(join(folder, path)).then(
        () => true,
        () => false,
      )
      if (exists) continue
      const { scenario, problems } = await firstScenario(skill, host)
      files.set(path, `${SCHEMA}\n${stringify(scenario, { lineWidth: 100 })}`)
      const file = relative(context.cwd, join(folder, path))
      written.push({ file, skill: skill.name, problems })
    }
    await createFiles(folder, files)
  }
  if (options.json === true) context.stdout.write(jsonText(written))
  else {
    const say = (line: string) => context.stdout.write(`${line}\n`)
    for (const { file, problems } of written) {
      say(`${paint('+', 'green', context)} ${sanitiseLine(file)}`)
      for (const one of problems) say(`  ${sanitiseLine(one)}`)
    }
    say(written.length === 0 ? 'Every skill has a scenario.' : '\nRun them: loadout test')
  }
  return written.every(({ problems }) => problems.length === 0) ? 0 : 1
}
