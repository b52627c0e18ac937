import { createDice } from '../create-dice.ts'
import type { TorturePart } from '../torture-part.ts'
import { alterArguments, alterBindings, guessIds, replayApprovals } from './attack-confirmations.ts'
import { raceApprovals } from './race-approvals.ts'

/** Of the whole run; a smaller one tries a part of each, and at least one. */
const GUESSES = 4_000
const ARGUMENTS = 3_000
const BINDINGS = 3_000
const REPLAYS = 1_000
const RACES = 100

/** Every way to get more calls out of consents than were given. */
export const confirmationAttacks: TorturePart = {
  name: 'confirmations',
  claim:
    'No guessed or altered id, argument, principal or tool hash is accepted, and what was approved runs exactly once.',
  async run({ seed, scale }) {
    const dice = createDice(seed)
    const part = (whole: number) => Math.max(1, Math.ceil(whole * scale))
    const ids = await guessIds(part(GUESSES), dice)
    const inputs = await alterArguments(part(ARGUMENTS), dice)
    const bindings = await alterBindings(part(BINDINGS), dice)
    const replays = await replayApprovals(part(REPLAYS))
    const races = await raceApprovals(part(RACES))
    const failures = [ids, inputs, bindings, replays, races].flatMap((one) => one.failures)
    return {
      figures: {
        'guessed and altered ids': ids.tried,
        'altered arguments': inputs.tried,
        'altered principals, tools and hashes': bindings.tried,
        'approvals replayed': replays.tried,
        'races of two processes': races.tried,
        'accepted, or run other than once': failures.length,
      },
      failures: failures.slice(0, 20),
    }
  },
}
