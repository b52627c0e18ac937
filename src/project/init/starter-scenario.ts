/**
 * The scenario that `loadout init` writes. Scenario files are read by no command yet, and the file
 * says so; the tests of this project carry it out step by step, so that it holds when one does.
 */
export const STARTER_SCENARIO = `# A session, written down step by step: what is said, what the model calls, and what must then hold.
# No command of this version carries scenarios out; until one does, it documents what the skill is
# for, and can be followed by hand in the playground.
scenario: 1
name: a text is brought to its limit
agent: editor
steps:
  - expect:
      exposed: [loadSkill]
      not-exposed: [measure_text]
      prompt: [You are an editor at the Daily Example.]
  - user: Is this short enough for the title of a page?
  - call: measure_text
    with: { text: Short is good. Shorter is better. }
    expect:
      refused: skill-inactive
  - call: loadSkill
    with: { skillName: text-length }
    expect:
      ok: true
      exposed: [measure_text]
      prompt: [Never estimate how long a text is]
  - call: measure_text
    with: { text: Short is good. Shorter is better. }
    expect:
      data: { characters: 33, words: 6, sentences: 2, minutes: 0.5 }
`
