import type { SkillStatus } from '../../engine/standing/status.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { Paint } from '../shell/paint.ts'
import type { SkillReport } from './skill-report.ts'
import { writeTable } from '../shell/write-table.ts'

const PAINTS: Readonly<Record<SkillStatus, Paint | undefined>> = {
  active: 'green',
  pending: 'yellow',
  inactive: undefined,
  'not-permitted': 'yellow',
  conflicting: 'yellow',
  'missing-requirement': 'yellow',
  broken: 'red',
  changed: 'red',
  shadowed: 'dim',
  unknown: 'red',
}

/** Skills for people, one a line. */
export function writeSkillTable(skills: readonly SkillReport[], context: CliContext): void {
  writeTable(
    ['SKILL', 'STATUS', 'TOOLS', 'TOKENS', 'DESCRIPTION'],
    skills.map(({ name, status, tools, tokens, description, diagnostics }) => [
      { text: name },
      { text: status, ...colour(PAINTS[status]) },
      { text: String(tools.length) },
      { text: String(tokens) },
      {
        text:
          description === ''
            ? (diagnostics.find(({ severity }) => severity === 'error')?.message ?? '')
            : description,
      },
    ]),
    context,
  )
}

function colour(paint: Paint | undefined) {
  return paint === undefined ? {} : { colour: paint }
}
