import { describe, expect, test } from 'vitest'
import {
  compareFacts,
  sumAgreements,
} from '../../../../scripts/clients/conversations/compare-facts.ts'
import {
  readConversation,
  storedConversations,
} from '../../../../scripts/clients/conversations/stored-conversations.ts'
import { transcriptFacts } from '../../../../scripts/clients/conversations/transcript-facts.ts'
import { TALKING_CLIENTS } from '../../../../scripts/clients/conversations/conversation.ts'

describe.each(TALKING_CLIENTS)('scripted conversations of %s', (client) => {
  const compared = storedConversations(client).map((name) => {
    const { wire, transcript } = readConversation(client, name)
    return { name, ...compareFacts(wire, transcriptFacts(client, transcript)) }
  })

  test('are at least twenty', () => {
    expect(compared.length).toBeGreaterThanOrEqual(20)
  })

  test.each(compared)('$name says what the requests of the client had', ({ name, differences }) => {
    expect(differences.map((one) => one.split(':')[0])).toEqual(DIFFERS[client]?.[name] ?? [])
  })

  test('have lists of skills, loaded skills, calls and results', () => {
    const { shown, loaded, calls, results } = sumAgreements(
      compared.map(({ agreement }) => agreement),
    )
    const hasLists = client === 'claude-code' || client === 'codex'
    expect(shown[1]).toBeGreaterThan(hasLists ? 500 : -1)
    expect(loaded[1]).toBeGreaterThan(15)
    expect(calls[1]).toBeGreaterThan(60)
    expect(results[1]).toBeGreaterThan(40)
  })
})

/** Facts that a transcript does not have as the request had them. */
const DIFFERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // The client cuts a long result of a server once more when it sends it.
  codex: { 'long-result': ['results main call_1'] },
}
