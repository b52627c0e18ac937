/** The handler of the tool that `loadout init` writes: it needs no package and no network. */
export const STARTER_HANDLER = `import { ToolError } from 'loadout'

interface Input {
  readonly text: string
  readonly language?: string
}

interface Output {
  readonly characters: number
  readonly words: number
  readonly sentences: number
  readonly minutes: number
}

const WORDS_PER_MINUTE = 200

// Arguments were checked against schema.json before, what is returned is checked after.
export function execute({ text, language = 'en' }: Input): Output {
  const words = count(text, language, 'word', (part) => part.isWordLike === true)
  return {
    characters: count(text, language, 'grapheme', () => true),
    words,
    sentences: count(text, language, 'sentence', (part) => part.segment.trim() !== ''),
    minutes: Math.ceil((words / WORDS_PER_MINUTE) * 2) / 2,
  }
}

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
