import { expect, test } from 'vitest'
import { checkDescription } from '../../../../src/catalog/lint/checks/check-description.ts'
import { lintSkill } from '../../../../src/catalog/lint/checks/lint-skill.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'

function codes(description: string, more: { triggers?: string[]; whenToUse?: string } = {}) {
  const text = `---\nname: mail\ndescription: ${JSON.stringify(description)}\n---\n`
  const skill = defineSkill({ name: 'mail', description, ...more })
  const folder = {
    file: 'mail/SKILL.md',
    folder: 'mail',
    isOfPlugin: false,
    paths: new Set<string>(),
    pathsAbove: new Set<string>(),
    texts: new Map(),
  }
  return checkDescription(lintSkill({ ...folder, text, skill })).map(({ code }) => code)
}

const VAGUE = 'description-vague'
const TRIGGER = 'trigger-missing'

test.each([
  ['Extracts tables from PDF documents. Use when the user asks for them.', []],
  ['Extracts tables from PDF documents', [TRIGGER]],
  ['Extracts PDF tables', [TRIGGER]],
  ['Extracts tables', [VAGUE, TRIGGER]],
  ['Helps with mail', [VAGUE, TRIGGER]],
  ['A powerful skill for all your mail tasks.', [VAGUE]],
  ['Mail mail mail', [VAGUE, TRIGGER]],
  ['TODO: description', [VAGUE, TRIGGER]],
  ['Sortiert Briefe nach Absender', [TRIGGER]],
  ['从PDF文件中提取表格', []],
  ['邮件', [VAGUE]],
  ['Сортирует письма по отправителю и теме', []],
  ['مرتب الرسائل حسب المرسل والموضوع', []],
  ['Μαιλ', [VAGUE]],
])('%j: %j', (description, expected) => {
  expect(codes(description)).toEqual(expected)
})

test('triggers, or when to use it, say when a skill is wanted', () => {
  const description = 'Extracts tables from PDF documents'
  expect(codes(description, { triggers: ['tables, please'] })).toEqual([])
  expect(codes(description, { whenToUse: 'When somebody has a PDF' })).toEqual([])
})
