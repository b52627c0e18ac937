import type { DefinitionChange, FieldChange } from '../../catalog/definition-change.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { CliContext } from './cli-context.ts'
import { paint, type Paint } from './paint.ts'

type Change = 'added' | 'removed' | 'changed'

export const MARKS: Readonly<Record<Change, string>> = { added: '+', removed: '-', changed: '~' }
export const PAINTS: Readonly<Record<Change, Paint>> = {
  added: 'green',
  removed: 'red',
  changed: 'yellow',
}

/** One definition that is not the same, as a line. */
export function changeLine(
  { kind, name, what }: Pick<DefinitionChange, 'kind' | 'name' | 'what'>,
  context: Pick<CliContext, 'colour'>,
): string {
  return paint(`${MARKS[what]} ${kind} ${sanitiseLine(name)}`, PAINTS[what], context)
}

/** What changed in a definition, as lines; texts as unified diffs. */
export function fieldLines(
  fields: readonly FieldChange[],
  context: Pick<CliContext, 'colour'>,
): readonly string[] {
  return fields.flatMap((change) => {
    const { field } = change
    switch (change.what) {
      case 'text':
        return [`    ${field}:`, ...diffLines(change.diff, context)]
      case 'parts':
        return [
          `    ${field}:`,
          ...change.parts.map(
            (part) =>
              `      ${sanitiseLine(part.path === '' ? '(all)' : part.path)}: ${fromTo(part)}`,
          ),
        ]
      case 'value':
        return [`    ${field}: ${fromTo(change)}`]
      case 'members': {
        const members = (['added', 'removed', 'changed'] as const).flatMap((what) =>
          change[what].map((name) =>
            paint(`${MARKS[what]}${sanitiseLine(name)}`, PAINTS[what], context),
          ),
        )
        return [`    ${field}: ${members.join(' ')}`]
      }
    }
  })
}

/** A unified diff, indented and coloured; its text is somebody else's, so it is made safe. */
export function diffLines(diff: string, context: Pick<CliContext, 'colour'>): readonly string[] {
  return diff.split('\n').map((line) => {
    const first = line.charAt(0)
    const colour =
      first === '+' ? 'green' : first === '-' ? 'red' : first === '@' ? 'dim' : undefined
    return paint(
      `      ${first === ' ' ? ' ' : ''}${sanitiseLine(line)}`.trimEnd(),
      colour,
      context,
    )
  })
}

function fromTo({
  before,
  after,
}: {
  readonly before?: unknown
  readonly after?: unknown
}): string {
  return `${shown(before)} -> ${shown(after)}`
}

/** Characters of a value that are shown: the rest is in `--json`. */
const LONGEST = 200

function shown(value: unknown): string {
  if (value === undefined) return '(none)'
  const text = sanitiseLine(JSON.stringify(value))
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}
