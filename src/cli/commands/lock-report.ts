import type { FileDrift } from '../../catalog/lock-drift.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { changeLine, fieldLines, MARKS, PAINTS } from '../shell/diff-report.ts'
import type { LockCheck } from './lock-check.ts'
import { paint } from '../shell/paint.ts'

/** Tell people which files are not as they were locked, and what that means. */
export function writeLockDrift(
  { ok, file, files, definitions, missing }: LockCheck,
  context: CliContext,
): void {
  const say = (line: string) => context.stdout.write(`${line}\n`)
  if (ok) {
    say('Every file is as it was locked.')
    return
  }
  for (const { message } of missing) say(paint(sanitiseLine(message), 'red', context))
  for (const drift of files) say(driftLine(drift, context))
  for (const change of definitions ?? []) {
    say(changeLine(change, context))
    for (const line of fieldLines(change.fields, context)) say(line)
  }
  if (definitions === null) {
    say(`What it means is told where the manifest of the locked version stands beside the lock.`)
  }
  if (files.length === 0 && missing.length === 0) {
    say('The files are the same, and make another catalog: the version that reads them changed.')
  }
  const count = files.length === 1 ? '1 file differs' : `${files.length} files differ`
  context.stderr.write(`loadout: ${count} from ${sanitiseLine(file)}.\n`)
  context.stderr.write('Read what changed; to accept it, lock again: loadout lock.\n')
}

/** One file that differs, as a line. */
export function driftLine(
  { file, what, before, after }: FileDrift,
  context: Pick<CliContext, 'colour'>,
): string {
  const sizes =
    before !== null && after !== null
      ? `${before.size} -> ${after.size} bytes, ${short(before.digest)} -> ${short(after.digest)}`
      : `${(before ?? after)?.size ?? 0} bytes`
  return paint(`${MARKS[what]} ${sanitiseLine(file)} (${sizes})`, PAINTS[what], context)
}

function short(digest: string): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + 12)
}
