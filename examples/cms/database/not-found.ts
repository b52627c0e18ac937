import { ToolError } from 'loadout'

/** Names told with a miss: enough to see the mistake, few enough to read. */
const MOST_KNOWN = 20

/** What a model is told when nothing goes by that name: with the names there are, it can go on. */
export function notFound(
  what: string,
  asked: string | number,
  known: readonly (string | number)[],
): ToolError {
  const some = known.slice(0, MOST_KNOWN)
  const rest = known.length > some.length ? ` and ${known.length - some.length} more` : ''
  const list = known.length === 0 ? 'There are none.' : `There are: ${some.join(', ')}${rest}.`
  return new ToolError('NOT_FOUND', `No ${what} is ${JSON.stringify(asked)}. ${list}`, {
    details: { asked, known: some },
  })
}
