import { schemaWords } from '../index/schema-words.ts'
import { splitName } from '../index/split-name.ts'
import type { ToolDocument } from '../index/tool-document.ts'

/** Characters that are embedded: about 500 tokens, which every embedding model reads. */
const LONGEST = 2_000
const LONGEST_NAME = 200
const MOST_PARAMETERS = 20
const MOST_PHRASES = 20

const SEPARATORS = /[_\-./:]+/gu
const HUMP = /(\p{Ll})(\p{Lu})/gu

/**
 * What of a document is embedded: its name in words, what it does, what people say to get it, its
 * subject, and the names of its parameters. What matters most stands first, since the end is cut.
 */
export function documentText(document: ToolDocument): string {
  const { description, phrases = [], topic = '', tags = [], inputSchema } = document
  const { owner, bare } = splitName(document)
  const parameters = schemaWords(inputSchema).names
  return [
    [inWords(bare), inWords(owner)].filter((one) => one !== '').join(', '),
    description,
    ...phrases.slice(0, MOST_PHRASES),
    [topic, ...tags].filter((one) => one !== '').join(', '),
    parameters.slice(0, MOST_PARAMETERS).map(inWords).join(', '),
  ]
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, LONGEST)
    .toWellFormed()
}

function inWords(name: string): string {
  return name.slice(0, LONGEST_NAME).replace(HUMP, '$1 $2').replace(SEPARATORS, ' ').trim()
}
