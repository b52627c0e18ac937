/** A function of the library that reads text of others. */
export interface Scanner {
  /** Its module below `src`, which the build writes below `dist`. */
  readonly module: string
  readonly name: string
  /** Returns its arguments for a text. */
  readonly args: (text: string) => readonly unknown[]
}

const alone = (text: string) => [text]
const section = (text: string) => [
  { id: 'a', title: 'A', source: 'skill', owner: 'a', children: [], blocks: blocksOf(text) },
]
const blocksOf = (text: string) => [
  { kind: 'body', text, plain: true },
  { kind: 'items', items: [{ name: text, summary: text, marks: [], facts: [] }] },
]

/** A search reads no more of one field of a document. */
const SEARCHED_FIELD = 20_000

/** The longest front matter that is parsed; longer ones are refused by their length. */
const FRONT_MATTER = 24 * 1024

const frontMatter = (text: string) => `---\n${text.slice(0, FRONT_MATTER)}\n---\n`

/**
 * All of them, listed by hand: a pattern that is not on this list is not measured. To add a regular
 * expression or a loop over text from a skill, tool, model or file, add a line here.
 */
export const SCANNERS: readonly Scanner[] = [
  { module: 'kernel/sanitise-text', name: 'findHidden', args: alone },
  { module: 'kernel/sanitise-text', name: 'sanitiseText', args: alone },
  { module: 'kernel/sanitise-text', name: 'sanitiseLine', args: alone },
  {
    module: 'kernel/substitute-variables',
    name: 'substituteVariables',
    args: (text) => [text, []],
  },
  { module: 'kernel/matches-pattern', name: 'matchesPattern', args: (text) => [text, text] },
  {
    module: 'kernel/matches-pattern',
    name: 'matchesPattern',
    args: (text) => [`*b${text.slice(0, text.length / 2)}*b`, text],
  },
  ...['some', 'every'].flatMap((quantity) => [
    {
      module: 'engine/standing/matches-command',
      name: 'matchesCommand',
      args: (text: string) => ['sudo --none -q', text, quantity],
    },
    {
      module: 'engine/standing/matches-path',
      name: 'matchesPath',
      args: (text: string) => ['a/**/a/**/b/*a*', text, quantity],
    },
  ]),
  { module: 'kernel/nearest-names', name: 'nearestNames', args: (text) => [text, [text, 'a']] },
  { module: 'kernel/display-width', name: 'displayWidth', args: alone },
  { module: 'kernel/display-width', name: 'wrapLines', args: (text) => [text, 76] },
  { module: 'kernel/first-sentence', name: 'firstSentence', args: alone },
  { module: 'tools/definition/parse-tool-reference', name: 'parseToolReference', args: alone },
  {
    module: 'schema/interpreter/subschemas',
    name: 'followReference',
    args: (text) => [text, {}],
  },
  {
    module: 'search/words/words-of',
    name: 'wordsOf',
    args: (text) => [text.slice(0, SEARCHED_FIELD)],
  },
  { module: 'search/words/fold-text', name: 'squashName', args: alone },
  { module: 'skills/find-skill', name: 'normaliseName', args: alone },
  { module: 'skills/definition/definition-name', name: 'displayNameOf', args: alone },
  { module: 'skills/definition/definition-name', name: 'isPortableName', args: alone },
  { module: 'skills/definition/definition-name', name: 'usableName', args: alone },
  { module: 'skills/parse/read-definition', name: 'firstParagraph', args: alone },
  {
    module: 'skills/parse/parse-tool-folder',
    name: 'parseToolFolder',
    args: (text) => [{ file: 'schema.json', folder: 'a', documentation: text }],
  },
  { module: 'skills/parse/read-definition', name: 'withoutBlankEdges', args: alone },
  { module: 'skills/definition/definition-name', name: 'usableToolName', args: alone },
  {
    module: 'skills/parse/check-specification',
    name: 'checkSpecification',
    args: (text) => [{ text: `---\nname: ${text}\n---\n`, file: 'SKILL.md', folder: 'a' }],
  },
  {
    module: 'skills/parse/check-specification',
    name: 'checkSpecification',
    args: (text) => [{ text: frontMatter(text), file: 'SKILL.md', folder: 'a' }],
  },
  {
    module: 'connections/carnet/format/matches-glob',
    name: 'matchesGlob',
    args: (text) => ['**/*a*b', text],
  },
  {
    module: 'connections/carnet/format/read-carnet-config',
    name: 'readCarnetConfig',
    args: (text) => [JSON.stringify({ variables: [text] }), 'carnet.config.json'],
  },
  {
    module: 'skills/parse/parse-skill-file',
    name: 'parseSkillFile',
    args: (text) => [
      {
        text: frontMatter(`allowed-tools: ${JSON.stringify(text)}`),
        file: 'SKILL.md',
        folder: 'a',
      },
    ],
  },
  { module: 'skills/parse/parse-front-matter', name: 'splitFrontMatter', args: alone },
  {
    module: 'skills/parse/parse-front-matter',
    name: 'parseFrontMatter',
    args: (text) => [frontMatter(text), { add: () => undefined, refuse: () => null }],
  },
  {
    module: 'skills/parse/parse-yaml',
    name: 'parseYaml',
    args: (text) => [text.slice(0, FRONT_MATTER)],
  },
  {
    module: 'skills/parse/parse-skill-file',
    name: 'parseSkillFile',
    args: (text) => [
      { text: `---\nname: a\ndescription: b\n---\n${text}`, file: 'SKILL.md', folder: 'a' },
    ],
  },
  {
    module: 'catalog/create/check-look-alikes',
    name: 'checkLookAlikes',
    args: (text) => ['skill', [text]],
  },
  { module: 'render/prompt/forms/write-markdown', name: 'codeSpan', args: alone },
  {
    module: 'render/prompt/sections/skill-section',
    name: 'distinctDisplayName',
    args: (text) => [text, `${text}a`],
  },
  { module: 'render/prompt/forms/write-markdown', name: 'isPlainMarkdown', args: alone },
  { module: 'render/prompt/forms/write-markdown', name: 'writeMarkdown', args: section },
  {
    module: 'render/prompt/forms/write-prompt',
    name: 'writeSection',
    args: (text) => [...section(text), 'xml'],
  },
]
