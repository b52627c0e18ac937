import { sanitiseLine } from '../../../entries/kit.ts'
import type { DefinitionChange, FieldChange, FileDrift } from '../../../entries/manifest.ts'
import { type Paint, paint } from './paint.ts'

interface Coloured {
  readonly colour: boolean
}

type Change = 'added' | 'removed' | 'changed'

export const CHANGE_MARKS: Readonly<Record<Change, string>> = {
  added: '+',
  removed: '-',
  changed: '~',
}

export const CHANGE_PAINTS: Readonly<Record<Change, Paint>> = {
  added: 'green',
  removed: 'red',
  changed: 'yellow',
}

/** Returns a line about something that changed. */
export function markedLine(what: Change, text: string, context: Coloured): string {
  return paint(`${CHANGE_MARKS[what]} ${text}`, CHANGE_PAINTS[what], context)
}

/** Returns one changed definition as a line. */
export function changeLine(
  { kind, name, what }: Pick<DefinitionChange, 'kind' | 'name' | 'what'>,
  context: Coloured,
): string {
  return markedLine(what, `${kind} ${sanitiseLine(name)}`, context)
}

/** Returns the changed fields of a definition as lines; texts as unified diffs. */
export function fieldLines(fields: readonly FieldChange[], context: Coloured): readonly string[] {
  return fields.flatMap((change) => {
    const { field } = change
    switch (change.what) {
      case 'text':
        return [`    ${field}:`, ...unifiedDiffLines(change.diff, context)]
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
            paint(`${CHANGE_MARKS[what]}${sanitiseLine(name)}`, CHANGE_PAINTS[what], context),
          ),
        )
        return [`    ${field}: ${members.join(' ')}`]
      }
    }
  })
}

/** Returns a unified diff, sanitised, indented and coloured. */
export function unifiedDiffLines(diff: string, context: Coloured): readonly string[] {
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

function fromTo({ before, after }: Partial<Record<'before' | 'after', unknown>>): string {
  return `${valueText(before)} -> ${valueText(after)}`
}

/** Characters of a value that are shown; `--json` has all of it. */
const LONGEST = 200

function valueText(value: unknown): string {
  if (value === undefined) return '(none)'
  const text = sanitiseLine(JSON.stringify(value))
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

/** Returns one changed file as a line. */
export function driftLine({ file, what, before, after }: FileDrift, context: Coloured): string {
  const sizes =
    before !== null && after !== null
      ? `${before.size} -> ${after.size} bytes, ${shortDigest(before.digest)} -> ${shortDigest(after.digest)}`
      : `${(before ?? after)?.size ?? 0} bytes`
  return markedLine(what, `${sanitiseLine(file)} (${sizes})`, context)
}

function shortDigest(digest: string): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + 12)
}
