import { expect, test } from 'vitest'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { buildPromptDocument } from '../../../../src/render/prompt/build-prompt-document.ts'
import { sectionHash, writeSection } from '../../../../src/render/prompt/forms/write-prompt.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import { aSession } from '../a-session.ts'

test('the hash of a section is that of its text in that form, children and all', async () => {
  const skills = ['a', 'b'].map((name) => defineSkill({ name, description: name }))
  const session = (await aSession({ skills })).open('a')
  const hashOf = (at: typeof session) => {
    const section = buildPromptDocument(at.input()).sections.find(
      ({ id }) => id === 'active-skills',
    )
    if (section === undefined) throw new Error('No skill is active.')
    expect(sectionHash(section)).toBe(textHash(writeSection(section)))
    expect(sectionHash(section, 'xml')).toBe(textHash(writeSection(section, 'xml')))
    return sectionHash(section)
  }
  const one = hashOf(session)
  expect(hashOf(session.open('b'))).not.toBe(one)
  expect(hashOf(session.open('b').close('b'))).toBe(one)
})
