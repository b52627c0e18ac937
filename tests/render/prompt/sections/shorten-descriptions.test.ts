import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildPromptDocument } from '../../../../src/render/prompt/build-prompt-document.ts'
import { promptLedger } from '../../../../src/render/prompt/ledger/prompt-ledger.ts'
import { writeSection } from '../../../../src/render/prompt/forms/write-prompt.ts'
import { shortenDescriptions } from '../../../../src/render/prompt/sections/shorten-descriptions.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import type { Skill } from '../../../../src/skills/definition/skill.ts'
import { parseSkillFile } from '../../../../src/skills/parse/parse-skill-file.ts'
import { o200kCounter } from '../../../../src/workspace/open/o200k-counter.ts'
import { aSession, wordCounter } from '../a-session.ts'

const BUDGET = 4000

const counter = await o200kCounter()

/** Shortens to a budget of words. */
function withinWords(skills: readonly Skill[], budget: number) {
  return shortenDescriptions(skills, wordCounter, (texts) => {
    const words = texts.map(({ description, hints }) =>
      [description, ...hints.map(({ value }) => value)].join(' '),
    )
    return wordCounter.count(words.join(' ')) <= budget
  })
}

/** Name and description of the real skills of the corpus. */
const real = globSync('tests/corpus/*/skills/**/SKILL.md')
  .toSorted()
  .flatMap((path) => {
    const { definition } = parseSkillFile({
      file: path,
      folder: basename(dirname(path)),
      text: readFileSync(path, 'utf8'),
    })
    return definition === null ? [] : [definition]
  })

/** Returns as many skills as wanted, with the descriptions of real ones. */
function skillsLike(count: number): Skill[] {
  return Array.from({ length: count }, (_, index) => {
    const { name, description } = real[index % real.length] ?? { name: 'x', description: 'x' }
    const round = Math.floor(index / real.length)
    return defineSkill({ name: round === 0 ? name : `${name}-${round}`, description })
  })
}

async function catalogOf(
  skills: readonly Skill[],
  metaTools = ['loadSkill', 'listAvailableSkills'],
) {
  const session = await aSession({ skills })
  const options = { catalogBudget: BUDGET, metaTools }
  const document = buildPromptDocument(session.input({ counter, options }))
  const section = document.sections.find(({ id }) => id === 'skill-catalog')
  if (section === undefined) throw new Error('There is no catalog.')
  const text = writeSection(section)
  const [note] = promptLedger(document, counter).notes
  return { text, tokens: counter.count(text), form: note?.code ?? 'full' }
}

test('the corpus has real descriptions', () => {
  expect(real.length).toBeGreaterThan(25)
  expect(new Set(real.map(({ description }) => description)).size).toBe(real.length)
})

test('from the first skill too many to the last id that fits, the budget is used, and use when stays', async () => {
  const used: Record<number, string> = {}
  for (const count of [
    10, 40, 60, 75, 76, 100, 160, 181, 220, 240, 260, 300, 400, 440, 480, 1000,
  ]) {
    const skills = skillsLike(count)
    const { text, tokens, form } = await catalogOf(skills)
    expect(tokens).toBeLessThanOrEqual(BUDGET)
    const lines = new Map(
      text.split('\n').map((line) => [/^- `([^`]+)`/u.exec(line)?.[1], line] as const),
    )
    const saying = skills.filter(({ description }) => USE_WHEN.test(description))
    const kept = saying.filter(({ name }) => USE_WHEN.test(lines.get(name) ?? ''))
    const share = `${kept.length} of ${saying.length} say when`
    used[count] = `${form}, ${Math.floor((100 * tokens) / BUDGET)} %, ${share}`
    if (!form.startsWith('catalog-shortened')) continue
    expect(tokens, `${count} skills`).toBeGreaterThanOrEqual(0.9 * BUDGET)
    const lost = saying.filter((one) => !kept.includes(one) && lines.get(one.name)?.includes(': '))
    expect(lost.map(({ name, description }) => [lines.get(name), description])).toEqual([])
  }
  expect(used).toMatchInlineSnapshot(`
    {
      "10": "full, 21 %, 8 of 8 say when",
      "100": "catalog-shortened, 99 %, 71 of 71 say when",
      "1000": "catalog-not-listed, 0 %, 0 of 712 say when",
      "160": "catalog-shortened, 98 %, 112 of 112 say when",
      "181": "catalog-shortened, 95 %, 130 of 130 say when",
      "220": "catalog-shortened, 96 %, 156 of 156 say when",
      "240": "catalog-shortened, 99 %, 171 of 171 say when",
      "260": "catalog-shortened-in-part, 99 %, 183 of 187 say when",
      "300": "catalog-shortened-in-part, 99 %, 139 of 212 say when",
      "40": "full, 69 %, 30 of 30 say when",
      "400": "catalog-shortened-in-part, 99 %, 40 of 287 say when",
      "440": "catalog-shortened-in-part, 99 %, 16 of 312 say when",
      "480": "catalog-not-listed, 0 %, 0 of 344 say when",
      "60": "full, 97 %, 44 of 44 say when",
      "75": "catalog-shortened, 99 %, 52 of 52 say when",
      "76": "catalog-shortened, 99 %, 52 of 52 say when",
    }
  `)
})

/** The way in which most authors say when to use a skill. */
const USE_WHEN = /\buse (?:this skill |this |it )?(?:when|whenever)\b/iu

test('a thousand skills are counted, and the way to find them is named', async () => {
  expect(await catalogOf(skillsLike(1000))).toMatchObject({
    form: 'catalog-not-listed',
    text: expect.stringContaining('Call `listAvailableSkills`'),
  })
  expect((await catalogOf(skillsLike(1000), ['tool_search'])).text).toContain('`tool_search`')
})

const words = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '.', ',', '. U', 'Use when '),
  maxLength: 200,
})

const skillSets = fc
  .array(fc.record({ description: words, whenToUse: words }), { maxLength: 12 })
  .map((all) =>
    all.map(({ description, whenToUse }, index) =>
      defineSkill({ name: `s${index}`, description: `Does ${description}`, whenToUse }),
    ),
  )

test('shortened texts are words of the whole one in its order, and a larger budget makes none shorter', () => {
  fc.assert(
    fc.property(skillSets, fc.integer({ min: 0, max: 400 }), (skills, budget) => {
      const texts = withinWords(skills, budget)
      if (texts === null) return
      const more = withinWords(skills, budget + 50)
      for (const [index, { description }] of texts.entries()) {
        const whole = skills[index]?.description ?? ''
        let from = 0
        for (const sentence of description.split('…')) {
          for (const word of sentence.split(' ')) {
            const at = whole.indexOf(word, from)
            expect(at).toBeGreaterThanOrEqual(from)
            from = at
          }
        }
        const longer = more?.[index]?.description.length ?? 0
        expect(longer + 1).toBeGreaterThanOrEqual(description.length)
      }
    }),
  )
})

test('a sentence that says when to use a skill is the last one to go', () => {
  const skill = defineSkill({
    name: 'pdf',
    description:
      'Reads and writes documents of many kinds with great care. Use when a PDF is named. It has more to say.',
  })
  const [least] = withinWords([skill], 8) ?? []
  expect(least?.description).toBe('Use when a PDF is named.')
  const [more] = withinWords([skill], 12) ?? []
  expect(more?.description).toMatch(/^Reads and .*… Use when a PDF is named\.$/u)
})

test('it is found after a sentence without a full stop', () => {
  const description = 'Reads documents of very many kinds Use when: a PDF, a form, a scan.'
  const skill = defineSkill({ name: 'pdf', description })
  const [least] = withinWords([skill], 8) ?? []
  expect(least?.description).toBe('Use when: a PDF, a form, a scan.')
})

test('hints take its place where a description does not say it', () => {
  const skill = defineSkill({
    name: 'pdf',
    description:
      'Reads and writes documents of many kinds, with great care, for everybody who asks.',
    whenToUse: 'a PDF is named',
  })
  const [least] = withinWords([skill], 11) ?? []
  expect(least?.hints).toEqual([{ label: 'when', value: 'a PDF is named' }])
})
