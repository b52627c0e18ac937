import { ownName, providerName } from 'loadout/adapter'
import { createDice } from '../torture/torture-part.ts'
import type { WirePart } from './wire-part.ts'

const NAMES = 10_000

/** The pattern of each provider, as its page says it, and not as the library does. */
const PATTERNS = {
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
  mcp: /^[a-zA-Z0-9_.-]{1,128}$/,
} as const

const CHARACTERS = 'abcXYZ019_-.'

/** Sends random legal names, and names that differ in one character, to each provider and back. */
export const legalNames: WirePart = {
  name: 'names',
  claim: `Of ${NAMES.toLocaleString('en')} random names that are legal in a session, many of them nearly the same, each provider gets a name that it accepts, no two are the same, and each comes back.`,
  columns: ['provider', 'names', 'do not fit', 'collisions', 'do not come back'],
  async run({ seed }) {
    const dice = createDice(seed)
    const names = new Set<string>()
    while (names.size < NAMES) {
      const length = 1 + dice(dice(3) === 0 ? 128 : 24)
      const name = Array.from({ length }, () => CHARACTERS[dice(CHARACTERS.length)]).join('')
      const at = dice(length)
      names.add(name)
      if (names.size < NAMES) names.add(`${name.slice(0, at)}_${name.slice(at + 1)}`)
      // A name that looks as if the library had written it.
      if (names.size < NAMES && dice(10) === 0)
        names.add(providerName(name.slice(0, 100), 'openai'))
    }
    const failures: string[] = []
    const rows = (Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]).map((provider) => {
      const sent = new Map([...names].map((name) => [name, providerName(name, provider)]))
      const bad = [...sent.values()].filter((name) => !PATTERNS[provider].test(name))
      const collisions = sent.size - new Set(sent.values()).size
      // Each name is looked up among some neighbours: the table of a session has hundreds, not thousands.
      const list = [...names]
      const lost = list.filter((name, index) => {
        const known = list.slice(Math.max(0, index - 20), index + 20)
        return ownName(sent.get(name) ?? '', known, provider) !== name
      })
      failures.push(...[...bad, ...lost].map((name) => `${provider}: ${name}`))
      if (collisions > 0) failures.push(`${provider}: ${collisions} collisions`)
      return [provider, names.size, bad.length, collisions, lost.length]
    })
    return { rows, failures }
  },
}
