/** A function of the library that goes through text of others. */
export interface Scanner {
  /** Its module below `src`, which the build puts below `dist`. */
  readonly module: string
  readonly name: string
  /** The arguments it is called with for a text. */
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

/** Longest front matter that is parsed at all; longer ones are refused by their length. */
const FRONT_MATTER = 24 * 1024

/**
 * Every one of them, by hand: a pattern that is not on this list is not measured. Whoever adds a
 * regular expression or a loop over text from a skill, tool, model or file adds a line here.
 */
export const SCANNERS: readonly Scanner[] = [
  { module: 'kernel/find-hidden', name: 'findHidden', args: alone },
  { module: 'kernel/sanitise-text', name: 'sanitiseText', args: alone },
  { module: 'kernel/sanitise-line', name: 'sanitiseLine', args: alone },
  { module: 'kernel/variables', name: 'substituteVariables', args: (text) => [text, []] },
  { module: 'kernel/match-pattern', name: 'matchesPattern', args: (text) => [text, text] },
  {
    module: 'kernel/match-pattern',
    name: 'matchesPattern',
    args: (text) => [`*b${text.slice(0, text.length / 2)}*b`, text],
  },
  { module: 'kernel/nearest-names', name: 'nearestNames', args: (text) => [text, [text, 'a']] },
  { module: 'kernel/display-width', name: 'displayWidth', args: alone },
  { module: 'registry/first-sentence', name: 'firstSentence', args: alone },
  { module: 'registry/tool-reference', name: 'parseToolReference', args: alone },
  {
    module: 'registry/schema/local-reference',
    name: 'followReference',
    args: (text) => [text, {}],
  },
  {
    module: 'search/words/words-of',
    name: 'wordsOf',
    args: (text) => [text.slice(0, SEARCHED_FIELD)],
  },
  { module: 'search/words/squash-name', name: 'squashName', args: alone },
  { module: 'skills/normalise-name', name: 'normaliseName', args: alone },
  { module: 'skills/display-name', name: 'displayNameOf', args: alone },
  { module: 'skills/parse/skill-name', name: 'isPortableName', args: alone },
  { module: 'skills/parse/skill-name', name: 'usableName', args: alone },
  { module: 'skills/parse/first-paragraph', name: 'firstParagraph', args: alone },
  { module: 'skills/parse/doc-sections', name: 'missingDocSections', args: alone },
  { module: 'skills/parse/without-blank-edges', name: 'withoutBlankEdges', args: alone },
  { module: 'skills/parse/usable-tool-name', name: 'usableToolName', args: alone },
  {
    module: 'skills/parse/specification/check-specification',
    name: 'checkSpecification',
    args: (text) => [{ text: `---\nname: ${text}\n---\n`, file: 'SKILL.md', folder: 'a' }],
  },
  {
    module: 'skills/parse/specification/unlike-strict-yaml',
    name: 'unlikeStrictYaml',
    args: (text) => [text.slice(0, FRONT_MATTER)],
  },
  { module: 'skills/carnet/matches-glob', name: 'matchesGlob', args: (text) => ['**/*a*b', text] },
  { module: 'skills/carnet/split-assignment', name: 'splitAssignment', args: alone },
  { module: 'skills/parse/split-permissions', name: 'splitPermissions', args: alone },
  { module: 'skills/parse/split-front-matter', name: 'splitFrontMatter', args: alone },
  { module: 'skills/parse/repair-front-matter', name: 'repairFrontMatter', args: alone },
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
  { module: 'catalog/look-alikes', name: 'checkLookAlikes', args: (text) => ['skill', [text]] },
  { module: 'render/prompt/fence', name: 'fence', args: alone },
  { module: 'render/prompt/code-span', name: 'codeSpan', args: alone },
  { module: 'render/prompt/other-name', name: 'otherName', args: (text) => [text, `${text}a`] },
  { module: 'render/prompt/plain-markdown', name: 'isPlainMarkdown', args: alone },
  { module: 'render/prompt/wrap-lines', name: 'wrapLines', args: (text) => [text, 76] },
  { module: 'render/prompt/write-markdown', name: 'writeMarkdown', args: section },
  { module: 'render/prompt/write-xml', name: 'writeXml', args: section },
]
