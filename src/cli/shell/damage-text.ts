import type { LogDamage } from '../../workspace/log/log-damage.ts'

/** What is wrong with a session, and what of it is lost, as a line. Not yet sanitised. */
export function damageText({ session, lastGoodSeq, reason, lost }: LogDamage): string {
  const what = session === null ? 'The log' : `Session "${session}"`
  const kept = lastGoodSeq < 0 ? 'from its beginning' : `after entry ${lastGoodSeq}`
  return `${what} is damaged ${kept}: ${reason}. ${lostText(lost)}`
}

const PLURALS: Readonly<Record<LogDamage['lost']['unit'], string>> = {
  entry: 'entries',
  line: 'lines',
}

function lostText({ count, unit }: LogDamage['lost']): string {
  if (count === 0) return 'Nothing is known to be lost.'
  return count === 1 ? `1 ${unit} is lost.` : `${count} ${PLURALS[unit]} are lost.`
}
