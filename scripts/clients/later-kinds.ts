import { skillsIn } from './case-folder.ts'
import { fileSkills, headerSkills, valueSkills } from './header-kinds.ts'
import type { Kind } from './kinds.ts'
import { skillAt } from './place-kinds.ts'
import { skillText } from './text-kinds.ts'

const BOTH = ['.claude/skills', '.agents/skills']

/** Kinds that were written after the profiles, to find what these do not know. */
export const LATER_KINDS: Readonly<Record<string, Kind>> = {
  'forms-of-keys': ({ some, words }) =>
    headerSkills(
      'Other forms of the key of a description.',
      some(8, [
        `Description: ${words(2)}.`,
        `DESCRIPTION: ${words(2)}.`,
        `"description": ${words(2)}.`,
        `'description': ${words(2)}.`,
        `description : ${words(2)}.`,
        `description:${words(2)}.`,
        `description:\t${words(2)}.`,
        `? description\n: ${words(2)}.`,
        `descriptions: ${words(2)}.`,
        `description.en: ${words(2)}.`,
        `!!str description: ${words(2)}.`,
        `description\u00a0: ${words(2)}.`,
        `summary: ${words(2)}.`,
      ]),
    ),
  'indented-headers': ({ some, words }) =>
    fileSkills(
      'Headers with another indent.',
      Object.fromEntries(
        some(5, [
          `  name: NAME\n  description: ${words(2)}.`,
          ` name: NAME\n description: ${words(2)}.`,
          `name: NAME\n  description: ${words(2)}.`,
          `  name: NAME\ndescription: ${words(2)}.`,
          `name: NAME\n\n\ndescription: ${words(2)}.\n`,
          `\n\nname: NAME\ndescription: ${words(2)}.`,
          `meta:\n  name: NAME\n  description: ${words(2)}.`,
          `- name: NAME\n  description: ${words(2)}.`,
        ]).map((lines, at) => [`i${at + 1}`, skillText(lines.replaceAll('NAME', `i${at + 1}`))]),
      ),
    ),
  'kinds-of-numbers': ({ some }) =>
    valueSkills(
      'Descriptions that YAML may read as numbers or times.',
      some(8, [
        '0x1F',
        '0o17',
        '017',
        '1_000',
        '1e3',
        '.inf',
        '-.INF',
        '.NaN',
        '12:30:45',
        '2024-01-01',
        '2024-01-01T10:00:00Z',
        '+12',
        '1.10',
        '00123',
        '12345678901234567890',
        '0b101',
        'n',
        'NULL',
        'Off',
      ]),
    ),
  'tags-of-yaml': ({ some, words }) =>
    valueSkills(
      'Descriptions with a tag.',
      some(5, [
        `!!str ${words(2)}.`,
        '!!str 12',
        '!!int 12',
        '!!null x',
        `!text ${words(2)}.`,
        `!!binary ${Buffer.from(words(2)).toString('base64')}`,
        '!!seq [a, b]',
        `! ${words(2)}.`,
        '!!bool yes',
      ]),
    ),
  'heads-of-blocks': ({ some, words }) =>
    valueSkills(
      'Blocks with signs behind their head.',
      some(6, [
        `|2\n    ${words(2)}.\n  ${words(1)}`,
        `>+\n  ${words(2)}.\n\n`,
        `|-\n  ${words(2)}.\n\n`,
        `>2-\n   ${words(2)}.`,
        `| # a note\n  ${words(2)}.`,
        `>\n  ${words(2)}.\n    ${words(2)}.\n  ${words(1)}`,
        `|\n${words(2)}.`,
        `>-\n\n  ${words(2)}.\n\n  ${words(1)}`,
        `|9\n  ${words(1)}`,
        `|\n\t${words(2)}.`,
      ]),
    ),
  'several-documents': ({ some, words }) =>
    fileSkills(
      'Directives, and more than one document.',
      Object.fromEntries(
        some(4, [
          `---\n%YAML 1.2\nname: NAME\ndescription: ${words(2)}.\n---\nBody.\n`,
          `%YAML 1.2\n---\nname: NAME\ndescription: ${words(2)}.\n---\nBody.\n`,
          `---\n---\nname: NAME\ndescription: ${words(2)}.\n---\nBody.\n`,
          `---\nname: NAME\ndescription: ${words(2)}.\n...\n---\nBody.\n`,
          `---\nname: NAME\n---\ndescription: ${words(2)}.\n---\nBody.\n`,
          `---\nname: NAME\ndescription: ${words(2)}.\n---\n---\nname: other\n---\nBody.\n`,
          `+++\nname = "NAME"\ndescription = "${words(2)}."\n+++\nBody.\n`,
          `{"name": "NAME", "description": "${words(2)}."}\n\nBody.\n`,
        ]).map((text, at) => [`m${at + 1}`, text.replaceAll('NAME', `m${at + 1}`)]),
      ),
    ),
  'before-the-header': ({ some, words }) =>
    fileSkills(
      'Lines before the header.',
      Object.fromEntries(
        some(5, [
          '<!-- a note -->\n',
          '#!/usr/bin/env claude\n',
          '\n\n',
          '\u200b',
          '\t',
          '# Title\n\n',
          '\uFEFF\n',
          '\u00a0',
          '```yaml\n',
        ]).map((start, at) => [
          `s${at + 1}`,
          start + skillText(`name: s${at + 1}\ndescription: ${words(2)}.`),
        ]),
      ),
    ),
  'empty-files': ({ some }) =>
    fileSkills(
      'Files with nearly nothing.',
      Object.fromEntries(
        some(5, [
          '',
          ' ',
          '\n\n',
          '---',
          '---\n---',
          '---\n---\n',
          '---\nname: NAME\n---\n',
          '---\ndescription: Only that.\n---',
          '---\nname: NAME\ndescription: No body.\n---',
          '\uFEFF',
          '# Heading\n',
          '---\n{}\n---\nText.\n',
          '---\n# comment\n---\nText.\n',
        ]).map((text, at) => [`e${at + 1}`, text.replaceAll('NAME', `e${at + 1}`)]),
      ),
    ),
  'forms-of-letters': ({ one, words }) => {
    const [folder, name] = one([
      ['gro\u0308ße', 'größe'],
      ['größe', 'gro\u0308ße'],
      ['Ａbc', 'Abc'],
      ['ﬁle', 'file'],
    ])
    return {
      what: 'Letters that are written in two ways.',
      files: skillsIn(BOTH, {
        [folder ?? '']: skillText(`name: ${name}\ndescription: ${words(2)}.`),
        plain: skillText(`name: ${folder}\ndescription: ${words(2)} ${folder}.`),
      }),
    }
  },
  'case-twins': ({ some, words }) => ({
    what: 'Names that differ in their case.',
    files: skillsIn(
      BOTH,
      Object.fromEntries(
        some(4, ['Twin', 'twin', 'TWIN', 'tWin', 'twin-2', 'Twin_2']).map((name) => [
          name,
          skillText(`name: ${name}\ndescription: ${words(2)}.`),
        ]),
      ),
    ),
  }),
  'large-headers': ({ one, words }) =>
    fileSkills('Headers of many bytes before the description.', {
      big: skillText(
        `name: big\nnotes: "${'x'.repeat(one([3_000, 9_000, 70_000]))}"\ndescription: ${words(2)}.`,
      ),
      many: skillText(
        `name: many\n${Array.from({ length: one([40, 400]) }, (_, at) => `k${at}: v`).join('\n')}\ndescription: ${words(2)}.`,
      ),
      deep: skillText(
        `name: deep\nmetadata: ${'['.repeat(100)}${']'.repeat(one([100, 99]))}\ndescription: ${words(2)}.`,
      ),
      lines: skillText(`name: lines\ndescription: >\n${'  word\n'.repeat(one([10, 300]))}`),
    }),
  'values-of-invocation': ({ some, words }) =>
    headerSkills(
      'Fields of invocation together.',
      some(6, [
        'disable-model-invocation: true\nuser-invocable: false',
        'disable-model-invocation: false\nuser-invocable: false',
        'disable_model_invocation: true',
        'disableModelInvocation: true',
        'disable-model-invocation: [true]',
        'disable-model-invocation: true # for now',
        'disable-model-invocation:',
        "disable-model-invocation: 'true'",
        'disable-model-invocation: y',
        'disable-model-invocation: !!bool true',
        'metadata:\n  disable-model-invocation: true',
        'hidden: true',
        'enabled: false',
        'model-invocable: false',
      ]).map((lines) => `description: ${words(2)}.\n${lines}`),
    ),
  'git-files': ({ one }) => ({
    what: 'Work trees and submodules, where .git is a file.',
    cwd: one(['inner', 'inner/deep', 'inner/deep/er']),
    git: one([['.'], []]),
    files: {
      [one(['inner/.git', '.git-none', 'inner/deep/.git'])]: one([
        'gitdir: {{project}}/.git/worktrees/x\n',
        'gitdir: ../.git/modules/x\n',
        'no\n',
      ]),
      ...skillAt(['top']),
      ...skillAt(
        ['mid'],
        BOTH.map((at) => `inner/${at}`),
      ),
      ...skillAt(
        ['low'],
        BOTH.map((at) => `inner/deep/${at}`),
      ),
    },
  }),
  'linked-cwd': ({ one }) => ({
    what: 'A working folder that is a link.',
    cwd: one(['link', 'link/sub', 'a/link']),
    files: {
      'real/pack/sub/x.txt': 'x',
      'a/x.txt': 'x',
      ...skillAt(['top']),
      ...skillAt(
        ['of-real'],
        BOTH.map((at) => `real/pack/${at}`),
      ),
      ...skillAt(
        ['of-a'],
        BOTH.map((at) => `a/${at}`),
      ),
      ...skillAt(
        ['of-real-top'],
        BOTH.map((at) => `real/${at}`),
      ),
    },
    links: { link: 'real/pack', 'a/link': '../real/pack' },
  }),
  'ignored-files': ({ some }) => ({
    what: 'Files that say what is ignored.',
    files: {
      ...skillAt(['kept', 'g/inner', 'dropped', 'drop-2']),
      ...Object.fromEntries(
        some(2, [
          ['.ignore', 'dropped\n'],
          ['.agents/.gitignore', 'skills/dropped/\n'],
          ['.agents/skills/.ignore', 'drop*\n!drop-2\n'],
          ['.claude/skills/.ignore', 'dropped/SKILL.md\n'],
          ['.rgignore', '*\n'],
          ['.agents/skills/dropped/.gitignore', '*\n'],
          ['.agents/skills/.fdignore', 'dropped\n'],
          ['.git/info/exclude', '.agents/skills/dropped\n'],
          ['.agents/skills/g/.gitignore', 'inner\n'],
        ]),
      ),
    },
  }),
}
