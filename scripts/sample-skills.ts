import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { textHash } from '../src/kernel/content-hash.ts'
import { loadSkills } from '../src/workbench/project/folders/load-skills.ts'
import { describePresuppositions } from '../src/skills/presuppositions.ts'

/**
 * Prints a sample of the skills in folders with what is read of each, so that a person can compare it with its text.
 * The same seed and the same skills give the same sample.
 *
 * node scripts/sample-skills.ts --seed 1 --count 100 tests/corpus .fetched/skills
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    /** Print the lines of the text that may presuppose something, too. */
    lines: { type: 'boolean', default: false },
  },
})

const { skills } = await loadSkills(positionals, { limits: { maxFolders: 50_000 } })

const distinct = [...new Map(skills.map((skill) => [skill.instructions, skill])).values()]

const sample = distinct
  .map((skill) => ({ skill, order: textHash(`${values.seed} ${skill.instructions}`) }))
  .toSorted((a, b) => (a.order < b.order ? -1 : 1))
  .slice(0, Number(values.count))
  .map(({ skill }) => skill)

for (const [at, skill] of sample.entries()) {
  const { presupposes } = describePresuppositions(skill, {
    toolsByHash: new Map(),
    skills: new Map(),
  })
  console.log(`${at + 1}. ${relative(process.cwd(), skill.path ?? skill.name)}`)
  console.log(`   ${presupposes.join(', ') || 'nothing'}`)
  if (values.lines) for (const line of telling(skill.instructions)) console.log(`     | ${line}`)
}

console.log(`${sample.length} of ${distinct.length} distinct skills, seed ${values.seed}`)

/** Returns the lines of a text that name programs, files, tools, variables or other skills. */
function telling(text: string): readonly string[] {
  const words =
    /```\s*[a-z]|\b(?:run|execute|command|bash|shell|terminal|write|create|save|generate|edit|modify|script|install|skill|mcp|server|API_KEY|TOKEN)\b|\$[A-Z{]|\.(?:py|sh|js)\b/i
  return text
    .split('\n')
    .filter((line) => words.test(line))
    .map((line) => line.trim().slice(0, 160))
}
