import type { NewFiles } from '../walk/create-files.ts'

/** The tool that `loadout init` writes, in one file. It needs no package of its own and no network. */
const STARTER_TOOL = `import { defineTool, ToolError } from 'loadout'
import { z } from 'zod'

const WORDS_PER_MINUTE = 200

export default defineTool({
  name: 'measure_text',
  description:
    'Count the characters, words and sentences of a text, in any language, and the minutes it takes to read.',
  // One or two lines for prompts; the description above is for requests.
  summary: 'Counts what people count in a text. Use it before and after you change a text that has a limit.',
  category: 'utility',
  risk: 'safe',
  idempotent: true,
  latencyMs: 200,
  phrases: ['how many words are in this text', 'is this short enough', 'count the characters'],
  inputSchema: z.object({
    text: z.string().max(200_000).describe('The text to measure.'),
    language: z
      .string()
      .default('en')
      .describe('The language of the text, such as en or ja; it decides where words end.'),
  }),
  outputSchema: z.object({
    characters: z.int().describe('As people count them.'),
    words: z.int(),
    sentences: z.int(),
    minutes: z.number().describe('Of reading, at 200 words a minute.'),
  }),
  // Arguments were checked against inputSchema; the result is checked afterwards.
  execute({ text, language }) {
    const words = count(text, language, 'word', (part) => part.isWordLike === true)
    return {
      characters: count(text, language, 'grapheme', () => true),
      words,
      sentences: count(text, language, 'sentence', (part) => part.segment.trim() !== ''),
      minutes: Math.ceil((words / WORDS_PER_MINUTE) * 2) / 2,
    }
  },
})

function count(
  text: string,
  language: string,
  granularity: 'grapheme' | 'word' | 'sentence',
  counts: (part: Intl.SegmentData) => boolean,
): number {
  let found = 0
  for (const part of segmenter(language, granularity).segment(text)) if (counts(part)) found += 1
  return found
}

function segmenter(language: string, granularity: 'grapheme' | 'word' | 'sentence') {
  try {
    return new Intl.Segmenter(language, { granularity })
  } catch {
    // The type says what a caller can do about it; the message is for the model.
    throw new ToolError('VALIDATION', \`"\${language}" is not a language tag such as en or ja.\`)
  }
}
`

/** The scenario that `loadout init` writes; `loadout test` runs it. */
const STARTER_SCENARIO = `# A session, step by step: the user's messages, the model's calls, and the expected results.
# Run it: loadout test --trust
scenario: 1
name: a text is brought to its limit
agent: editor
steps:
  - expect:
      exposed: [loadSkill]
      not-exposed: [measure_text]
      prompt: [You are an editor at the Daily Example.]
  - call: measure_text
    with: { text: Short is good. Shorter is better. }
    expect: { refused: skill-inactive }
  - user: Is this text short enough for the title of a page?
    model:
      - { call: loadSkill, with: { skillName: text-length } }
      - { text: I measure it first. }
    expect:
      ok: true
      exposed: [measure_text]
      prompt: [Never estimate how long a text is]
  - call: measure_text
    with: { text: Short is good. Shorter is better. }
    expect: { data: { characters: 33, words: 6, sentences: 2, minutes: 0.5 } }
`

/** The skill that `loadout init` writes, its tool, and the agent that uses it. */
export const STARTER = { skill: 'text-length', tool: 'measure_text', agent: 'editor' } as const

/**
 * All files that `loadout init` writes, by path: a skill with a working tool, an agent, a scenario.
 */
export const STARTER_FILES: NewFiles = new Map([
  [
    'loadout.config.ts',
    `import { defineConfig } from 'loadout/node'

// This file is code: it is used once the folder is trusted (loadout trust .), or with --trust.
export default defineConfig({
  skills: ['./skills'],
  agents: [
    {
      name: '${STARTER.agent}',
      description: 'Edits texts and keeps them as long as they should be.',
      prompt: 'You are an editor at {{ PUBLICATION }}. You keep the voice of the author.',
    },
  ],
  // Values for {{ NAME }} in prompts; --var PUBLICATION=... sets another one.
  variables: { PUBLICATION: 'the Daily Example' },
  // Tools that no session may call, and tools that need a person's approval: patterns of tool names.
  permissions: { deny: [], ask: [] },
})
`,
  ],
  [
    'skills/text-length/SKILL.md',
    `---
name: text-length
description: Measures texts and brings them to a given length. Use when a text has a limit of words, characters or minutes of reading, or when somebody asks how long it is.
license: MIT
metadata:
  loadout.phrases: how long is this text, does this fit into 100 words, shorten it to 280 characters
  loadout.topic: writing
---

# Text length

Never estimate how long a text is: call \`measure_text\`.

1. Measure the text before you change it, so that you know how far it is from its limit.
2. Change it. Cut repetitions and asides first, facts last.
3. Measure what you wrote. When it is still too long, go back to 2.
4. Answer with the text, then with its figures on one line.

The limits of common places are in \`references/limits.md\`.
`,
  ],
  [
    'skills/text-length/references/limits.md',
    `# Usual limits

| place                      | limit          |
| -------------------------- | -------------- |
| text message               | 160 characters |
| title of a page            | 60 characters  |
| description of a page      | 155 characters |
| abstract of a paper        | 250 words      |
| a talk of one minute       | 130 words      |
`,
  ],
  ['skills/text-length/tools/measure_text.ts', STARTER_TOOL],
  ['scenarios/text-length.scenario.yaml', STARTER_SCENARIO],
])
